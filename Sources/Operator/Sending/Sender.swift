internal import ChargeWire
internal import Charging
internal import EventLoop
internal import Messaging

/// Publishes the rows of a checked file: several in flight, each confirmed, each made again under the same id until
/// it is. Lives on the loop.
final class Sender {
    /// A row that was published or is to be published again, stamped once.
    private struct Outgoing {
        let message: RoutedMessage
        let line: Int
    }

    /// Publishes without a confirm at a time: enough to keep the broker writing, few enough to be said again.
    static let window = 256

    private let loop: Loop
    private let file: RowFile
    private let check: RowCheck
    private let request: SendRequest
    private let access: BrokerAccess
    private let console: Console
    private let link: BrokerLink
    private let watcher: ResultWatcher?
    private var source: RowSource?
    private var again: [Outgoing] = []
    private var inFlight = 0
    private var isAway = false
    private var read = 0
    private var confirmed = 0
    private var resent = 0
    private var pause = SendPause()
    private var pumping: LoopTimer?
    private var progress: SendProgress
    private let sent = Latch<SendFault?>()
    private var interrupted: Int32?
    private var began: Int64 = 0
    private var ended: Int64 = 0

    init(
        loop: Loop, file: RowFile, check: RowCheck, request: SendRequest, access: BrokerAccess, _ console: Console
    ) {
        self.loop = loop
        self.file = file
        self.check = check
        self.request = request
        self.access = access
        self.console = console
        progress = SendProgress(console, total: check.rows, now: LoopClock.monotonic())
        let chance = { Double.random(in: 0..<1) }
        let plan = access.plan("send", [.publishing], topology: access.topology.plan)
        link = BrokerLink(loop: loop, plan: plan, random: chance)
        watcher = request.waits ? ResultWatcher(loop: loop, access: access, check: check) : nil
        pumping = loop.makeTimer { [unowned self] in pump() }
    }

    /// Sends everything, waits for the results if asked, and tells how it ended.
    func run() async -> SendEnd {
        var end = SendEnd()
        do throws(LinkProblem) {
            // The copy of the results first: a result may be there before its publish is confirmed.
            try await watcher?.open()
            link.onStateChange = { [unowned self] in changed($0) }
            link.start()
            try await link.untilUp(within: BrokerAccess.patience)
            end.fault = await publishAll()
        } catch {
            end.fault = SendFault(text: "nothing was sent: \(error)", exit: error.exit)
        }
        if end.fault == nil, interrupted == nil, let watcher {
            end.sending.ranOutOfTime = await !watcher.wait(limit: request.waitLimit) { [unowned self] tally in
                progress.results(tally.settled, of: tally.count, now: LoopClock.monotonic())
            }
        }
        progress.clear()
        await link.close()
        await watcher?.close()
        end.sending.sent = confirmed
        end.sending.resent = resent
        end.sending.seconds = Double(max(0, ended - began)) / 1e9
        end.sending.tally = watcher?.tally
        end.sending.watchGaps = watcher?.gaps ?? 0
        end.sending.interrupted = interrupted
        if let note = watcher?.note { progress.note(note) }
        return end
    }

    /// Stops: what is in flight is waited for, nothing more is begun.
    func interrupt(_ signal: Int32) {
        guard began > 0 else { SignalWatch.exitNow(signal) }
        interrupted = signal
        progress.note("stopping: \(confirmed) of \(check.rows) are sent; to send the file again is safe, by its ids")
        watcher?.interrupt()
        // What the broker does not confirm now may have been sent all the same.
        let limit = loop.makeTimer { [sent] in sent.open(nil) }
        limit.arm(after: 5_000_000_000)
        pump()
    }

    // MARK: Publishing

    private func publishAll() async -> SendFault? {
        guard file.isUnchanged else { return changedFault }
        do {
            source = try RowSource(file, format: check.format, rules: request.rules)
        } catch {
            return SendFault(text: "\(error)", exit: .problem)
        }
        began = LoopClock.monotonic()
        ended = began
        var tick: LoopTimer?
        tick = loop.makeTimer { [unowned self] in
            progress.sent(confirmed, now: LoopClock.monotonic(), note: note)
            tick?.arm(after: 250_000_000)
        }
        tick?.arm(after: 250_000_000)
        pump()
        let fault = await sent.wait()
        tick?.disarm()
        tick = nil
        return fault
    }

    private func pump() {
        guard source != nil, sent.value == nil else { return }
        if let until = pause.until, LoopClock.monotonic() < until {
            pumping?.arm(at: until)
        } else if case .ready = link.state {
            while inFlight < Self.window, let next = nextOutgoing() { publish(next) }
        }
        if inFlight == 0, again.isEmpty, confirmed == check.rows || interrupted != nil { sent.open(nil) }
        if inFlight == 0, again.isEmpty, read == check.rows, confirmed < read { sent.open(changedFault) }
    }

    private func nextOutgoing() -> Outgoing? {
        guard interrupted == nil else { return nil }
        if let repeated = again.popLast() { return repeated }
        guard let source, read < check.rows else { return nil }
        do {
            // The very rows that were checked: another one means that the file is not the one any more.
            guard case .row(let row)? = try source.next(), check.ids.ordinal(of: row.request.id.text) == read else {
                sent.open(changedFault)
                return nil
            }
            read += 1
            let message = access.topology.newCharge(
                row.request.json(), id: row.request.id, lane: row.lane,
                headers: ChargeHeaders(accepted: LoopClock.wall()))
            return Outgoing(message: message, line: row.line)
        } catch {
            sent.open(SendFault(text: "\(error)", exit: .problem))
            return nil
        }
    }

    private var changedFault: SendFault {
        SendFault(
            text: "\(file.name) was changed while it was sent: send it again once it is whole (equal ids are safe)",
            exit: .problem)
    }

    private func publish(_ outgoing: Outgoing) {
        inFlight += 1
        let message = outgoing.message
        link.startPublish(message.message, exchange: message.exchange, routingKey: message.routingKey) {
            [unowned self] outcome in settled(outgoing, outcome)
        }
    }

    private func settled(_ outgoing: Outgoing, _ outcome: PublishOutcome) {
        inFlight -= 1
        let now = LoopClock.monotonic()
        switch outcome {
        case .confirmed:
            confirmed += 1
            ended = now
            pause.worked()
        case .notSent(.tooLarge(let part)):
            sent.open(SendFault(text: "line \(outgoing.line): \(part) is too large for the broker", exit: .problem))
        default:
            resent += 1
            again.append(outgoing)
            if let reason = Self.refusal(outcome, outgoing) { pause.refused(reason, now: now) }
        }
        // Not at once: a publish may end before the call that began it returns.
        if pumping?.isArmed == false { pumping?.arm(after: 0) }
    }

    /// Why the broker does not take it, where waiting for the connection is not enough.
    private static func refusal(_ outcome: PublishOutcome, _ outgoing: Outgoing) -> String? {
        switch outcome {
        case .nacked: "the broker refuses: a queue is full, or it fails inside"
        case .returned(_, let text):
            "no queue takes \(outgoing.message.routingKey) (\(text)): chargeline topology declare"
        case .notSent(.full): "too much waits for the broker"
        case .notSent(.blocked), .notSent(.disconnected), .notSent(.closed), .notSent(.tooLarge), .lost, .confirmed: nil
        }
    }

    // MARK: The broker

    private var note: String {
        if case .blocked(let words) = link.state { return "the broker takes no publishes (\(words))" }
        if let problem = link.state.problem { return "waits for the broker: \(problem.text)" }
        return pause.reason ?? ""
    }

    private func changed(_ state: LinkState) {
        switch state {
        case .ready:
            if isAway { progress.note("the broker is back") }
            isAway = false
            pumping?.arm(after: 0)
        case .lost(let problem) where link.connects > 0:
            // One line for all attempts to reach it again.
            if isAway { break }
            isAway = true
            progress.note("the broker is away: \(problem.text); trying again, nothing is lost")
        case .refused(let problem) where link.connects > 0:
            sent.open(SendFault(text: "\(problem)", exit: problem.exit))
        case .blocked(let words): progress.note("the broker takes no publishes (\(words)); waiting")
        default: break
        }
    }
}
