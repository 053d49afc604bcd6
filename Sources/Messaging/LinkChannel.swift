internal import CRabbitMQ
internal import EventLoop

/// What channels share: the loop, chance, and a way to tell their link.
struct ChannelContext {
    let loop: Loop
    let plan: LinkPlan
    let random: () -> Double
    /// The channel became ready, or is no longer.
    let changed: () -> Void
    /// The broker does not answer on this channel: the connection is no good.
    let stuck: (LinkProblem) -> Void
}

/// One channel of a link: opened on every new connection, and again when the broker closes it. Subclasses say what it
/// is for.
class LinkChannel {
    let number: UInt16
    let context: ChannelContext
    private(set) var wire: Wire?
    /// Whether the broker has it open, or is about to: what is sent meanwhile it handles in order.
    private(set) var isOpen = false
    /// Whether it does what it is for.
    private(set) var isReady = false
    /// Why it does not.
    private(set) var problem: LinkProblem?
    private var backoff = Backoff()
    private var retry: LoopTimer?
    private var patience: LoopTimer?

    init(number: UInt16, context: ChannelContext) {
        self.number = number
        self.context = context
        retry = context.loop.makeTimer { [unowned self] in start() }
        patience = context.loop.makeTimer { [unowned self] in
            context.stuck(
                LinkProblem(
                    .queueFailed(subject ?? ""), "\(description) is not answered by the broker",
                    mend: ServerWords.queueMend))
        }
    }

    deinit {
        retry?.disarm()
        patience?.disarm()
    }

    // MARK: For subclasses

    /// The queue it works on, for messages.
    var subject: String? { nil }
    var description: String { "a channel" }
    /// Whether it opens with the connection and opens again when it was closed.
    var isKeptOpen: Bool { true }
    /// Sends what makes it ready; where it is not open, `channelOpen` was sent before.
    func begin(_ out: FrameBuffer, isNew: Bool) {}
    /// A method for this channel, other than its close.
    func received(_ method: amqp_method_t) {}
    func received(properties: UnsafePointer<amqp_basic_properties_t>, bodySize: UInt64) {}
    func received(body: amqp_bytes_t) {}
    /// The channel is gone, and all that the broker had numbered on it. Bytes up to `written` may have been handled.
    func ended(written: UInt64, isConnectionGone: Bool) {}
    /// Adds what was gathered in this turn.
    func flush(_ out: FrameBuffer) {}

    func becomeReady() {
        patience?.disarm()
        backoff.succeeded(now: LoopClock.monotonic())
        guard !isReady else { return }
        isReady = true
        problem = nil
        context.changed()
    }

    /// The broker has to answer within the plan's deadline.
    func expectAnswer() {
        patience?.arm(after: context.plan.openDeadline)
    }

    // MARK: For the link

    func attach(_ wire: Wire) {
        self.wire = wire
        problem = nil
        if isKeptOpen { start() }
    }

    func detach() {
        let written = wire?.out.written ?? 0
        wire = nil
        retry?.disarm()
        close(written: written, isConnectionGone: true)
    }

    /// channel.close came.
    func closedByBroker(_ words: ServerWords) {
        wire?.out.channelCloseOK(number)
        let written = wire?.out.written ?? 0
        close(written: written, isConnectionGone: false)
        if isKeptOpen { tryLater(words.channelProblem(subject: subject)) }
    }

    /// Not ready for this reason; begins again after a while.
    func tryLater(_ problem: LinkProblem) {
        isReady = false
        self.problem = problem
        patience?.disarm()
        let wait = backoff.next(
            now: LoopClock.monotonic(), isPermanent: problem.isPermanent, chance: context.random())
        retry?.arm(after: wait)
        context.changed()
    }

    func open(_ wire: Wire) {
        isOpen = true
        wire.out.channelOpen(number)
    }

    private func start() {
        guard let wire else { return }
        let isNew = !isOpen
        if isNew { open(wire) }
        expectAnswer()
        begin(wire.out, isNew: isNew)
    }

    private func close(written: UInt64, isConnectionGone: Bool) {
        isReady = false
        patience?.disarm()
        guard isOpen else { return }
        isOpen = false
        ended(written: written, isConnectionGone: isConnectionGone)
    }
}
