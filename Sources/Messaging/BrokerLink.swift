internal import CRabbitMQ
public import EventLoop

/// One connection to a broker that heals itself: it connects, declares, opens channels, consumes, and does so again
/// whenever the connection breaks. Lives on a loop, and is used on its thread only.
///
/// Nothing here waits: connecting runs on a helper thread, everything else is frames in and frames out. Use two links
/// where both publishing and consuming matter: under a memory alarm the broker stops reading from those who publish,
/// acks included.
public final class BrokerLink {
    /// Called for each message, on the loop. May publish, ack, pause at once.
    public var onDelivery: ((Delivery) -> Void)?
    /// Called when `state` changed.
    public var onStateChange: ((LinkState) -> Void)?
    /// Called when the broker ended a consumer (its index in the plan): its queue was deleted. The link tries again
    /// by itself.
    public var onConsumerCancelled: ((Int) -> Void)?

    /// Where the link stands.
    public internal(set) var state = LinkState.idle
    /// The broker of the current connection, or of the last.
    public internal(set) var server: BrokerServer?
    /// How many connections were made.
    public internal(set) var connects = 0

    let loop: Loop
    let plan: LinkPlan
    let random: () -> Double
    var channels: [LinkChannel] = []
    var consumers: [ConsumingChannel] = []
    var publisher: PublishingChannel?
    var depths: DepthChannel?
    var wire: Wire?
    var call: HelperCall<ConnectResult>?
    var backoff = Backoff()
    var endpoint = 0
    var retry: LoopTimer?
    var patience: LoopTimer?
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var closing: UnsafeContinuation<Void, Never>?
    var isClosing = false
    private var turn: TurnAction?

    /// Makes a link; nothing happens before `start`. Call on the loop.
    ///
    /// - Parameter random: a number in 0..<1 for the jitter of waits.
    public init(loop: Loop, plan: LinkPlan, random: @escaping () -> Double) {
        self.loop = loop
        self.plan = plan
        self.random = random
        makeChannels()
        retry = loop.makeTimer { [unowned self] in connect() }
        patience = loop.makeTimer { [unowned self] in connectingTookTooLong() }
        turn = loop.beforeEachWait { [unowned self] in flush() }
    }

    deinit {
        turn?.cancel()
        retry?.disarm()
        patience?.disarm()
        call?.abandon()
        wire?.close()
        for channel in channels { channel.detach() }
        depths?.detach()
    }

    // MARK: Life

    /// Begins to connect; harmless when it has begun.
    public func start() {
        guard state == .idle else { return }
        if let fault = plan.fault { return become(.refused(fault)) }
        become(.connecting)
        connect()
    }

    /// Waits until the link is up. Throws its problem where that is permanent, or after `nanoseconds`, or when it is
    /// closed.
    public func untilUp(within nanoseconds: Int64? = nil) async throws(LinkProblem) {
        let limit = loop.makeTimer { [unowned self] in wakeWaiters() }
        if let nanoseconds { limit.arm(after: nanoseconds) }
        defer { limit.disarm() }
        let deadline = nanoseconds.map { LoopClock.monotonic() + $0 }
        while !state.isUp {
            if case .refused(let problem) = state { throw problem }
            if state == .closed { throw LinkProblem(.cut, "the link was closed") }
            if let deadline, LoopClock.monotonic() >= deadline {
                throw state.problem ?? LinkProblem(.silent, "the broker did not answer in time")
            }
            await withUnsafeContinuation { waiters.append($0) }
        }
    }

    /// Ends the link: sends what is gathered, tells the broker, waits for its answer at most this long. Publishes
    /// without a confirm end as `.lost` or `.notSent`; wait for them before. No delivery comes once this is called.
    public func close(within nanoseconds: Int64 = 2_000_000_000) async {
        guard state != .closed, !isClosing else { return }
        guard let wire, state != .idle else { return finishClosing() }
        flush()
        isClosing = true
        wire.out.connectionClose("done")
        wire.flush()
        let limit = loop.makeTimer { [unowned self] in finishClosing() }
        limit.arm(after: nanoseconds)
        defer { limit.disarm() }
        // The write may have failed at once.
        guard state != .closed, self.wire != nil else { return finishClosing() }
        await withUnsafeContinuation { closing = $0 }
    }

    // MARK: Publishing

    /// Publishes and waits for what becomes of it.
    ///
    /// - Parameters:
    ///   - exchange: empty for the default exchange, whose routing keys are queue names.
    ///   - mandatory: whether the broker has to return it where no queue takes it; otherwise it confirms and drops
    ///     it.
    public func publish(
        _ message: Message, exchange: String, routingKey: String, mandatory: Bool = true
    ) async -> PublishOutcome {
        await withUnsafeContinuation { continuation in
            publish(message, exchange, routingKey, mandatory, .task(continuation))
        }
    }

    /// Publishes; `done` is called exactly once on the loop, at once where it cannot be sent.
    public func startPublish(
        _ message: Message, exchange: String, routingKey: String, mandatory: Bool = true,
        done: @escaping (PublishOutcome) -> Void
    ) {
        publish(message, exchange, routingKey, mandatory, .closure(done))
    }

    /// Publishes whose outcome is open.
    public var outstandingPublishes: Int { publisher?.outstanding ?? 0 }

    private func publish(
        _ message: Message, _ exchange: String, _ routingKey: String, _ mandatory: Bool, _ waiter: PublishWaiter
    ) {
        guard let publisher, state != .closed, !isClosing else { return waiter.finish(.notSent(.closed)) }
        // The frames around a body and its properties; exact enough to bound memory by.
        let bytes = message.body.count + 256 + message.headers.count * 40
        publisher.publish(
            Publish(
                message: message, exchange: exchange, routingKey: routingKey, isMandatory: mandatory, waiter: waiter,
                deadline: LoopClock.monotonic() + plan.confirmDeadline, bytes: bytes))
    }

    // MARK: Consuming

    /// Settles a delivery. Sent with others at the end of the loop's turn; ignored where its channel is gone
    /// meanwhile, since the broker then gives the message out again.
    public func ack(_ receipt: Receipt) {
        consumer(of: receipt)?.ack(receipt)
    }

    /// Whether the delivery is still ours to settle: its channel is open, and it was not acked.
    public func isOpen(_ receipt: Receipt) -> Bool {
        consumer(of: receipt)?.isOpen(receipt) ?? false
    }

    /// Takes no more deliveries for this consumer; those given out stay valid, and a few may still arrive.
    public func pauseConsuming(_ consumer: Int) {
        guard consumers.indices.contains(consumer) else { return }
        consumers[consumer].pause()
    }

    /// Takes deliveries again.
    public func resumeConsuming(_ consumer: Int) {
        guard consumers.indices.contains(consumer) else { return }
        consumers[consumer].resume()
    }

    /// Changes how many deliveries this consumer may hold, 1 to 65,535. The broker counts anew: those it holds stay
    /// valid and do not count against the new number.
    public func setPrefetch(_ prefetch: Int, consumer: Int) {
        guard consumers.indices.contains(consumer) else { return }
        consumers[consumer].setPrefetch(prefetch)
    }

    /// How full a queue is; nil where it does not exist, where the broker cannot be asked within 5 s, or while it reads
    /// nothing from this link (`.blocked`).
    public func queueDepth(_ queue: String) async -> QueueDepth? {
        guard let depths, wire != nil, publisher?.blocked == nil else { return nil }
        return await withUnsafeContinuation { depths.ask(queue, $0) }
    }

    private func consumer(of receipt: Receipt) -> ConsumingChannel? {
        let index = Int(receipt.channel) - 1
        return channels.indices.contains(index) ? channels[index] as? ConsumingChannel : nil
    }

    // MARK: At the end of a turn

    func flush() {
        guard let wire else { return }
        if !isClosing { for channel in consumers { channel.flush(wire.out) } }
        wire.flush()
    }
}
