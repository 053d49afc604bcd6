internal import ChargeWire
internal import EventLoop
internal import Messaging

/// One way through the parked queue, oldest first. What is wanted is published elsewhere, and acked once that is
/// confirmed: killed at any moment, it leaves nothing lost and at most a duplicate. What is not wanted is held until
/// the end, and goes back to its place. Lives on the loop.
final class ParkedPass {
    /// What is to become of a message.
    enum Step {
        /// It is not meant.
        case leave
        /// It is meant and cannot be taken out.
        case refuse(String)
        /// It is to be published as these, in this order.
        case move([RoutedMessage])
    }

    /// What a pass does, and what it tells.
    struct Work {
        /// Shown with its progress: `retried`.
        let verb: String
        /// Most messages in a second; nil for no limit.
        let rate: Int?
        /// Queues that have to be there: what is published for one that is not would be parked again, or lost.
        let queues: [String]
        /// Whether some queue has to take each message that is published.
        var isMandatory = true
        /// Asked for each message, again where it is delivered again.
        let decide: (ParkedMessage) -> Step
        /// Told of each that was taken out.
        let moved: (ParkedMessage) -> Void
    }

    private struct Job {
        let receipt: Receipt
        let message: ParkedMessage
        var rest: ArraySlice<RoutedMessage>
    }

    /// Messages under way at a time: enough to keep the broker writing, few enough to be duplicated by a crash.
    private static let window = 256
    /// Nothing comes any more: another consumer may hold the rest. Ns.
    private static let silence: Int64 = 5_000_000_000

    /// The most that the rate may make up for, ns.
    private static let slack: Int64 = 50_000_000

    private let loop: Loop
    private let access: BrokerAccess
    private let console: Console
    private let work: Work
    private let publishing: BrokerLink
    private var consuming: BrokerLink?
    private var end = ParkedPassEnd()
    private var epoch: UInt32?
    private var epochs = 0
    private var waiting: [Job] = []
    /// Where `waiting` begins.
    private var head = 0
    /// Begun, and to be gone on with before any other.
    private var begun: [Job] = []
    /// What was confirmed where it went, by its hash. Its ack may have been lost with its channel.
    private var confirmed: Set<Int> = []
    private var inFlight = 0
    private var isSilent = false
    private var isAway = false
    private var pause = SendPause()
    private var nextStart: Int64 = 0
    private var pumping: LoopTimer?
    private var quiet: LoopTimer?
    private var limit: LoopTimer?
    private var line: ProgressLine
    private var meter = ProgressMeter(total: nil, now: 0)
    private let over = Latch<LinkProblem?>()

    init(loop: Loop, access: BrokerAccess, work: Work, _ console: Console) {
        self.loop = loop
        self.access = access
        self.work = work
        self.console = console
        line = ProgressLine(console, now: LoopClock.monotonic())
        publishing = BrokerLink(
            loop: loop, plan: access.plan("parked", [.publishing]), random: { Double.random(in: 0..<1) })
        pumping = loop.makeTimer { [unowned self] in pump() }
        quiet = loop.makeTimer { [unowned self] in becomeQuiet() }
    }

    /// Goes through all that is parked now.
    func run() async -> ParkedPassEnd {
        do throws(LinkProblem) {
            publishing.onStateChange = { [unowned self] in changed($0, publishing) }
            publishing.start()
            try await publishing.untilUp(within: BrokerAccess.patience)
            let parked = access.topology.parked
            guard let depth = await ParkedReader.depth(parked, by: publishing, loop: loop) else {
                throw ParkedReader.missing(parked)
            }
            for queue in work.queues where await publishing.queueDepth(queue) == nil {
                throw ParkedReader.missing(queue)
            }
            end.depth = depth
            end.unseen = depth
            if depth > 0 { end.problem = try await passThrough(depth) }
        } catch {
            end.problem = error
        }
        await publishing.close()
        line.clear()
        return end
    }

    private func passThrough(_ depth: Int) async throws(LinkProblem) -> LinkProblem? {
        let link = BrokerLink(
            loop: loop,
            plan: access.plan(
                "parked", [.consuming(.init(queue: access.topology.parked, prefetch: min(depth, ParkedReader.most)))]),
            random: { Double.random(in: 0..<1) })
        consuming = link
        meter = ProgressMeter(total: depth, now: LoopClock.monotonic())
        link.onDelivery = { [unowned self] in arrived($0) }
        link.onStateChange = { [unowned self] in changed($0, link) }
        link.start()
        try await link.untilUp(within: BrokerAccess.patience)
        quiet?.arm(after: Self.silence)
        var tick: LoopTimer?
        tick = loop.makeTimer { [unowned self] in
            showProgress()
            tick?.arm(after: 250_000_000)
        }
        tick?.arm(after: 250_000_000)
        let problem = await over.wait()
        tick?.disarm()
        tick = nil
        quiet?.disarm()
        pumping?.disarm()
        link.onDelivery = nil
        // What is held here does not count.
        if problem == nil { end.late = await publishing.queueDepth(access.topology.parked)?.messages ?? 0 }
        // Sends the acks that are gathered; all else goes back.
        await link.close()
        return problem
    }

    /// Stops: what is under way is waited for, nothing more is begun.
    func interrupt(_ signal: Int32) {
        guard consuming != nil, over.value == nil else { SignalWatch.exitNow(signal) }
        end.interrupted = signal
        drop()
        limit = loop.makeTimer { [over] in over.open(nil) }
        limit?.arm(after: 5_000_000_000)
        endIfDone()
    }

    // MARK: Messages

    private func arrived(_ delivery: Delivery) {
        if delivery.receipt.epoch != epoch {
            // Another opening of the channel: what was held came back to the head of the queue.
            epoch = delivery.receipt.epoch
            epochs += 1
            end.unseen = end.depth - end.moved
            end.refused = []
            drop()
        }
        isSilent = false
        quiet?.arm(after: Self.silence)
        let message = ParkedMessage(delivery, in: access.topology)
        if epochs > 1, confirmed.contains(message.mark) { return consuming?.ack(delivery.receipt) ?? () }
        guard end.unseen > 0, end.interrupted == nil else { return }
        end.unseen -= 1
        switch work.decide(message) {
        case .leave: break
        case .refuse(let why): end.refused.append(RefusedMessage(message, why))
        case .move(let messages):
            waiting.append(Job(receipt: delivery.receipt, message: message, rest: messages[...]))
        }
        // Not at once: a thousand may arrive in this turn.
        if pumping?.isArmed == false { pumping?.arm(after: 0) }
    }

    private func pump() {
        guard over.value == nil else { return }
        let now = LoopClock.monotonic()
        // A publish may end before the call that began it returns, so all is looked at anew each time.
        while inFlight < Self.window, case .ready = publishing.state, head < waiting.count || !begun.isEmpty {
            if let until = [pause.until, nextStart].compactMap(\.self).max(), until > now {
                pumping?.arm(at: until)
                break
            }
            // A timer is a little late: what it missed is made up for.
            if let rate = work.rate { nextStart = max(nextStart, now - Self.slack) + 1_000_000_000 / Int64(rate) }
            let job = takeNext()
            // Where its channel has gone, it is delivered again.
            if consuming?.isOpen(job.receipt) == true { publish(job) }
        }
        endIfDone()
    }

    private func takeNext() -> Job {
        if !begun.isEmpty { return begun.removeFirst() }
        let job = waiting[head]
        head += 1
        if head == waiting.count {
            waiting.removeAll()
            head = 0
        }
        return job
    }

    private func drop() {
        waiting.removeAll()
        begun.removeAll()
        head = 0
    }

    private func publish(_ job: Job) {
        guard let next = job.rest.first else { return settle(job) }
        inFlight += 1
        publishing.startPublish(
            next.message, exchange: next.exchange, routingKey: next.routingKey, mandatory: work.isMandatory
        ) { [unowned self] outcome in
            inFlight -= 1
            answered(job, outcome)
            if pumping?.isArmed == false { pumping?.arm(after: 0) }
        }
    }

    private func answered(_ job: Job, _ outcome: PublishOutcome) {
        switch outcome {
        case .confirmed:
            pause.worked()
            var job = job
            job.rest = job.rest.dropFirst()
            if job.rest.isEmpty { settle(job) } else { again(job) }
        case .returned:
            refuse(job, "no queue takes it: chargeline topology declare")
        case .notSent(.tooLarge(let part)): refuse(job, "its \(part) is too large for the broker")
        case .nacked, .notSent(.full):
            pause.refused("the broker refuses: a queue is full, or it fails inside", now: LoopClock.monotonic())
            again(job)
        case .notSent, .lost: again(job)
        }
    }

    private func again(_ job: Job) {
        if end.interrupted == nil { begun.append(job) }
    }

    private func refuse(_ job: Job, _ why: String) {
        if consuming?.isOpen(job.receipt) == true { end.refused.append(RefusedMessage(job.message, why)) }
    }

    /// Confirmed where it went, so it is taken out here; where the channel has gone meanwhile, when it comes again.
    private func settle(_ job: Job) {
        consuming?.ack(job.receipt)
        guard confirmed.insert(job.message.mark).inserted || epochs == 1 else { return }
        end.moved += 1
        work.moved(job.message)
        isSilent = false
        quiet?.arm(after: Self.silence)
    }

    // MARK: Ending

    private func becomeQuiet() {
        // While the broker is away nothing can come.
        guard consuming?.state.isUp == true else {
            quiet?.arm(after: Self.silence)
            return
        }
        isSilent = true
        endIfDone()
    }

    private func endIfDone() {
        guard waiting.isEmpty, begun.isEmpty, inFlight == 0 else { return }
        if end.interrupted != nil || isSilent || (epoch != nil && end.unseen == 0) { over.open(nil) }
    }

    // MARK: The broker

    private func showProgress() {
        let now = LoopClock.monotonic()
        meter.note(done: end.moved, now: now)
        var note = pause.reason ?? ""
        if case .blocked(let words) = publishing.state { note = "the broker takes no publishes (\(words))" }
        if isAway { note = "waits for the broker" }
        line.show(work.verb, meter, now: now, note: note)
    }

    private func changed(_ state: LinkState, _ link: BrokerLink) {
        switch state {
        case .ready:
            if isAway, publishing.state.isUp, consuming?.state.isUp ?? true {
                isAway = false
                line.note("the broker is back")
            }
            if over.value == nil { pumping?.arm(after: 0) }
        case .lost(let problem) where link.connects > 0 && consuming != nil:
            if case .missing = problem.kind { return over.open(problem) }
            if isAway { break }
            isAway = true
            line.note("the broker is away: \(problem.text); trying again, nothing is lost")
        case .refused(let problem) where link.connects > 0 && consuming != nil: over.open(problem)
        default: break
        }
    }
}
