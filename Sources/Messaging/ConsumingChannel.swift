internal import CRabbitMQ
internal import EventLoop

/// The channel of one consumer: its tag, its deliveries, their acks.
final class ConsumingChannel: LinkChannel {
    let index: Int
    private var consumer: LinkPlan.Consumer
    private let epochs: Epochs
    private let onDelivery: (Delivery) -> Void
    private let onCancelled: (Int) -> Void
    private var epoch: UInt32 = 0
    private var window = AckWindow()
    private var reader = MessageReader()
    private var names = NameCache()
    private var arriving: (tag: UInt64, exchange: String, routingKey: String, redelivered: Bool)?
    private var running = Running.none
    private var isPaused = false
    /// The running consumer was started under another prefetch.
    private var isOutdated = false

    /// The consumer at the broker, by its tag. A tag is never used twice: a late frame must not be taken for the new
    /// consumer's. And RabbitMQ 3.10 crashes the connection (541) when a consumer is cancelled before its consume-ok
    /// was sent, so a consumer that starts is left alone until then.
    private enum Running {
        case none
        case starting(String)
        case on(String)
    }

    /// Counts openings of channels over a link's life, so that no receipt is taken for another's.
    final class Epochs {
        private var last: UInt32 = 0
        func next() -> UInt32 {
            last &+= 1
            return last
        }
    }

    init(
        number: UInt16, index: Int, consumer: LinkPlan.Consumer, epochs: Epochs, context: ChannelContext,
        onDelivery: @escaping (Delivery) -> Void, onCancelled: @escaping (Int) -> Void
    ) {
        self.index = index
        self.consumer = consumer
        self.epochs = epochs
        self.onDelivery = onDelivery
        self.onCancelled = onCancelled
        super.init(number: number, context: context)
    }

    override var subject: String? { consumer.queue }
    override var description: String { "consuming \(consumer.queue)" }

    // MARK: Consuming

    override func begin(_ out: FrameBuffer, isNew: Bool) {
        if isNew {
            epoch = epochs.next()
            out.qos(number, prefetch: consumer.prefetch)
        }
        // A paused one is ready when its channel is, which the answer to qos tells.
        if isPaused, !isNew { becomeReady() }
        adjust()
    }

    func pause() {
        isPaused = true
        adjust()
        // Paused is as ready as it gets.
        if isOpen, case .none = running { becomeReady() }
    }

    func resume() {
        isPaused = false
        // Where it is not ready, the next attempt consumes.
        if isReady { adjust() }
    }

    /// A new prefetch holds for consumers that begin after it, so the running one is replaced.
    func setPrefetch(_ prefetch: Int) {
        let prefetch = min(max(1, prefetch), 65535)
        guard prefetch != consumer.prefetch else { return }
        consumer.prefetch = prefetch
        guard let wire, isOpen else { return }
        wire.out.qos(number, prefetch: prefetch)
        isOutdated = true
        if isReady { adjust() }
    }

    /// Brings what runs at the broker nearer to what is wanted, as far as it may be touched now.
    private func adjust() {
        guard let wire, isOpen else { return }
        if case .on(let tag) = running, isPaused || isOutdated {
            wire.out.cancel(number, tag: tag)
            running = .none
        }
        guard case .none = running, !isPaused else { return }
        let tag = "c\(index).\(epochs.next())"
        running = .starting(tag)
        isOutdated = false
        wire.out.consume(
            number, queue: consumer.queue, tag: tag, exclusive: consumer.isExclusive, arguments: consumer.arguments)
        expectAnswer()
    }

    private func started(_ tag: String) {
        guard case .starting(tag) = running else { return }
        running = .on(tag)
        becomeReady()
        adjust()
    }

    // MARK: Acks

    func ack(_ receipt: Receipt) {
        guard receipt.epoch == epoch, isOpen else { return }
        _ = window.ack(receipt.tag)
    }

    func isOpen(_ receipt: Receipt) -> Bool {
        receipt.epoch == epoch && isOpen && window.isOpen(receipt.tag)
    }

    override func flush(_ out: FrameBuffer) {
        guard window.hasPending, isOpen else { return }
        window.flush { out.ack(number, $0) }
    }

    // MARK: What the broker says

    override func received(_ method: amqp_method_t) {
        switch method.id {
        case AMQP_BASIC_DELIVER_METHOD:
            guard let decoded = method.decoded else { return }
            let deliver = decoded.assumingMemoryBound(to: amqp_basic_deliver_t.self).pointee
            arriving = (
                deliver.delivery_tag, names.text(deliver.exchange), names.text(deliver.routing_key),
                deliver.redelivered != 0
            )
        case AMQP_BASIC_CONSUME_OK_METHOD:
            guard let decoded = method.decoded else { return }
            started(decoded.assumingMemoryBound(to: amqp_basic_consume_ok_t.self).pointee.consumer_tag.text)
        case AMQP_BASIC_QOS_OK_METHOD:
            if isPaused { becomeReady() } else if !isReady, problem == nil { adjust() }
        case AMQP_BASIC_CANCEL_METHOD:
            guard let decoded = method.decoded else { return }
            let ended = decoded.assumingMemoryBound(to: amqp_basic_cancel_t.self).pointee.consumer_tag.text
            cancelledByBroker(ended)
        default: break
        }
    }

    /// The queue was deleted, or its leader is gone. What is delivered stays valid; the consumer is not.
    private func cancelledByBroker(_ ended: String) {
        switch running {
        case .starting(ended), .on(ended): running = .none
        default: return
        }
        onCancelled(index)
        tryLater(
            LinkProblem(
                .missing(consumer.queue), "the broker ended the consumer of \(consumer.queue): was the queue deleted?",
                mend: "see that the queue exists: rabbitmqctl list_queues"))
    }

    override func received(properties: UnsafePointer<amqp_basic_properties_t>, bodySize: UInt64) {
        reader.begin(
            properties, bodySize: bodySize, bodyMax: context.plan.limits.receivedBytesMax, names: &names)
        if reader.isComplete { deliver() }
    }

    override func received(body: amqp_bytes_t) {
        guard arriving != nil else { return }
        reader.add(body)
        if reader.isComplete { deliver() }
    }

    private func deliver() {
        guard let arriving else { return }
        self.arriving = nil
        guard window.delivered(arriving.tag) else {
            return context.stuck(LinkProblem(.protocolError, "the broker's delivery tags are out of order"))
        }
        let message = reader.take()
        onDelivery(
            Delivery(
                message: message, exchange: arriving.exchange, routingKey: arriving.routingKey,
                redelivered: arriving.redelivered,
                deliveryCount: Int(clamping: message[header: "x-delivery-count"]?.int ?? 0),
                bodyBytes: reader.bodyBytes, consumer: index,
                receipt: Receipt(epoch: epoch, channel: number, tag: arriving.tag)))
    }

    override func ended(written: UInt64, isConnectionGone: Bool) {
        window.reset()
        arriving = nil
        running = .none
        isOutdated = false
    }
}
