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
    /// The running consumer's tag. Never used twice: a late frame must not be taken for the new consumer's.
    private var tag: String?
    private var isPaused = false

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
        if !isPaused {
            if tag == nil { consume(out) }
        } else if !isNew {
            becomeReady()
        }
    }

    func pause() {
        guard !isPaused else { return }
        isPaused = true
        guard let wire, isOpen, let tag else { return }
        wire.out.cancel(number, tag: tag)
        self.tag = nil
        answered()
        // Paused is as ready as it gets.
        becomeReady()
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        guard let wire, isReady else { return }
        consume(wire.out)
        expectAnswer()
    }

    /// A new prefetch holds for consumers that begin after it, so the running one is replaced.
    func setPrefetch(_ prefetch: Int) {
        guard prefetch != consumer.prefetch else { return }
        consumer.prefetch = min(max(1, prefetch), 65535)
        guard let wire, isOpen, isReady else { return }
        if let tag { wire.out.cancel(number, tag: tag) }
        wire.out.qos(number, prefetch: consumer.prefetch)
        guard tag != nil else { return }
        consume(wire.out)
        expectAnswer()
    }

    private func consume(_ out: FrameBuffer) {
        let tag = "c\(index).\(epochs.next())"
        self.tag = tag
        out.consume(
            number, queue: consumer.queue, tag: tag, exclusive: consumer.isExclusive, arguments: consumer.arguments)
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
            let started = decoded.assumingMemoryBound(to: amqp_basic_consume_ok_t.self).pointee.consumer_tag.text
            if started == tag { becomeReady() }
        case AMQP_BASIC_QOS_OK_METHOD:
            // It may have been resumed meanwhile.
            if isPaused { becomeReady() } else if tag == nil, !isReady, problem == nil, let wire { consume(wire.out) }
        case AMQP_BASIC_CANCEL_METHOD:
            guard let decoded = method.decoded else { return }
            let ended = decoded.assumingMemoryBound(to: amqp_basic_cancel_t.self).pointee.consumer_tag.text
            cancelledByBroker(ended)
        default: break
        }
    }

    /// The queue was deleted, or its leader is gone. What is delivered stays valid; the consumer is not.
    private func cancelledByBroker(_ ended: String) {
        guard ended == tag else { return }
        tag = nil
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
        tag = nil
    }
}
