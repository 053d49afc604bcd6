internal import ChargeWire
internal import Charging
internal import EventLoop
internal import Messaging
internal import Settings

/// `chargeline results`: shows results as they come, or takes them from the durable queue.
public enum ResultsTool {
    /// Runs it until enough came, somebody interrupts, or nobody reads any more.
    public static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let count: Int?
        do {
            count = try invocation.count("count", in: 1...1_000_000_000)
        } catch {
            return context.refuse(error)
        }
        let takes = invocation.has("take")
        if takes, settings.results == .none {
            context.console.complain("CHARGELINE_RESULTS=none: there is no durable queue of results to take from")
            return ToolExit.usage.rawValue
        }
        guard let access = context.access(settings) else { return ToolExit.usage.rawValue }
        let (isJSON, console) = (invocation.wantsJSON, context.console)
        return MainRoom.run { room in
            let reader = ResultsReader(
                loop: room.loop, access: access, takes: takes, count: count, isJSON: isJSON, console)
            room.onInterrupt = { _ in reader.stop() }
            return await reader.run()
        }
    }
}

/// Writes a line for each result. Lives on the loop.
final class ResultsReader {
    private let link: BrokerLink
    private let output: LineOutput
    private let console: Console
    private let takes: Bool
    private let count: Int?
    private let isJSON: Bool
    private let loop: Loop
    private var patience: LoopTimer?
    private var hasBeenUp = false
    private var isAway = false
    private var written = 0
    private var accepted = 0
    private let over = Latch<Int32>()

    init(loop: Loop, access: BrokerAccess, takes: Bool, count: Int?, isJSON: Bool, _ console: Console) {
        self.loop = loop
        self.takes = takes
        self.count = count
        self.isJSON = isJSON
        self.console = console
        output = LineOutput(loop: loop, descriptor: console.output)
        let queue = takes ? access.topology.results : access.watchQueue()
        // No more at a time than are wanted: what is taken and not acked is out of others' reach.
        let plan = access.plan(
            takes ? "results --take" : "results",
            [.consuming(.init(queue: queue, prefetch: min(200, max(1, count ?? 200))))],
            topology: takes ? nil : access.topology.watchPlan(queue: queue))
        link = BrokerLink(loop: loop, plan: plan, random: { Double.random(in: 0..<1) })
    }

    func run() async -> Int32 {
        output.onGone = { [unowned self] in
            if let failure = output.failure { console.complain("cannot write to standard output: \(failure)") }
            over.open(output.failure == nil ? ToolExit.done.rawValue : ToolExit.problem.rawValue)
        }
        link.onDelivery = { [unowned self] in took($0) }
        link.onStateChange = { [unowned self] in changed($0) }
        link.start()
        patience = loop.makeTimer { [unowned self] in connectingTookTooLong() }
        patience?.arm(after: BrokerAccess.patience)
        let status = await over.wait()
        patience?.disarm()
        await link.close()
        return status
    }

    private func connectingTookTooLong() {
        guard !hasBeenUp else { return }
        let problem = link.state.problem ?? LinkProblem(.silent, "the broker did not answer in time")
        console.complain("\(problem)")
        over.open(problem.exit.rawValue)
    }

    /// Ends it: what was not written yet goes back to its queue.
    func stop() { over.open(ToolExit.done.rawValue) }

    private func took(_ delivery: Delivery) {
        // Beyond the count: it goes back when the link is closed.
        guard over.value == nil, accepted < count ?? .max else { return }
        accepted += 1
        let line = ResultLine.bytes(delivery.message.body, isJSON: isJSON)
        output.write(line) { [unowned self] in
            // Acked once it is out of our hands: a crash before that shows it again.
            link.ack(delivery.receipt)
            written += 1
            if written == count { over.open(ToolExit.done.rawValue) }
        }
    }

    private func changed(_ state: LinkState) {
        switch state {
        case .ready, .blocked:
            if isAway { console.complain("the broker is back") }
            isAway = false
            hasBeenUp = true
        case .refused(let problem) where !hasBeenUp:
            console.complain("\(problem)")
            over.open(problem.exit.rawValue)
        case .lost(let problem) where hasBeenUp:
            if isAway { break }
            isAway = true
            let gap = takes ? "" : "; results of the meantime are not shown"
            console.complain("the broker is away: \(problem.text); trying again\(gap)")
        case .lost(let problem):
            // A queue that nobody declared is not to be waited for.
            if case .missing = problem.kind {
                console.complain("\(problem.text): start an api or a worker, or run chargeline topology declare")
                over.open(ToolExit.usage.rawValue)
            }
        default: break
        }
    }
}
