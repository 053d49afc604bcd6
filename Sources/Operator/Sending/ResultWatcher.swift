internal import ChargeWire
internal import Charging
internal import EventLoop
internal import Messaging

/// Counts the results of the charges of a file from a copy of all results. Lives on the loop.
final class ResultWatcher {
    /// The counts so far.
    private(set) var tally: ResultTally
    /// How often the copy was interrupted: it went with its connection, and results of that time may be missing.
    private(set) var gaps = 0
    private let loop: Loop
    private let link: BrokerLink
    private let ids: IDTable
    private let over = Latch<Bool>()
    private var onChange: ((ResultTally) -> Void)?
    private var isWaiting = false
    private var isUp = false

    init(loop: Loop, access: BrokerAccess, check: RowCheck) {
        self.loop = loop
        ids = check.ids
        tally = ResultTally(count: check.rows)
        let queue = access.watchQueue()
        let plan = access.plan(
            "send --wait", [.consuming(.init(queue: queue, prefetch: 1000))],
            topology: access.topology.watchPlan(queue: queue))
        link = BrokerLink(loop: loop, plan: plan, random: { Double.random(in: 0..<1) })
    }

    /// Connects and begins to count.
    func open() async throws(LinkProblem) {
        link.onDelivery = { [unowned self] in took($0) }
        link.onStateChange = { [unowned self] state in
            // Closed by us is no gap.
            if isUp, !state.isUp, state != .closed { gaps += 1 }
            isUp = state.isUp
        }
        link.start()
        try await link.untilUp(within: BrokerAccess.patience)
    }

    func close() async { await link.close() }

    /// Waits until every charge has its end.
    ///
    /// - Parameters:
    ///   - limit: longest wait, ns.
    ///   - onChange: told now and then.
    /// - Returns: whether all came; false when time ran out, or somebody interrupted.
    func wait(limit: Int64?, onChange: @escaping (ResultTally) -> Void) async -> Bool {
        isWaiting = true
        let timer = loop.makeTimer { [over] in over.open(false) }
        if let limit { timer.arm(after: limit) }
        var tick: LoopTimer?
        tick = loop.makeTimer { [unowned self] in
            onChange(tally)
            tick?.arm(after: 250_000_000)
        }
        tick?.arm(after: 250_000_000)
        settle()
        let isComplete = await over.wait()
        timer.disarm()
        tick?.disarm()
        tick = nil
        return isComplete
    }

    func interrupt() { over.open(false) }

    /// What a person should know of the counts.
    var note: String? {
        guard gaps > 0, tally.open > 0 else { return nil }
        return "the copy of the results was interrupted \(gaps) times: those of the meantime are in the durable queue"
    }

    private func took(_ delivery: Delivery) {
        link.ack(delivery.receipt)
        guard let result = try? ChargeResult(json: delivery.message.body),
            let ordinal = ids.ordinal(of: result.id.text)
        else { return }
        tally.take(result.status, ordinal: ordinal)
        settle()
    }

    private func settle() {
        if isWaiting, tally.open == 0 { over.open(true) }
    }
}
