internal import CRabbitMQ
internal import EventLoop

/// Asks how full queues are, one question at a time, on a channel of its own: asking for a queue that is missing
/// closes it.
final class DepthChannel: LinkChannel {
    private struct Question {
        let queue: String
        let waiter: UnsafeContinuation<QueueDepth?, Never>
    }

    private var waiting = RingBuffer<Question>()
    private var asked: Question?
    private var limit: LoopTimer?
    private static let patience: Int64 = 5_000_000_000

    override init(number: UInt16, context: ChannelContext) {
        super.init(number: number, context: context)
        limit = context.loop.makeTimer { [unowned self] in give(nil) }
    }

    deinit {
        limit?.disarm()
    }

    override var isKeptOpen: Bool { false }

    func ask(_ queue: String, _ waiter: UnsafeContinuation<QueueDepth?, Never>) {
        guard wire != nil, queue.utf8.count <= 255 else { return waiter.resume(returning: nil) }
        waiting.append(Question(queue: queue, waiter: waiter))
        if asked == nil { askNext() }
    }

    private func askNext() {
        guard let wire, let next = waiting.popFirst() else { return }
        asked = next
        if !isOpen { open(wire) }
        wire.out.queueDeclarePassive(number, queue: next.queue)
        limit?.arm(after: Self.patience)
    }

    /// Answers the question; the next one goes out once the broker has answered this one too.
    private func give(_ depth: QueueDepth?) {
        limit?.disarm()
        let answered = asked
        asked = nil
        askNext()
        answered?.waiter.resume(returning: depth)
    }

    override func received(_ method: amqp_method_t) {
        guard method.id == AMQP_QUEUE_DECLARE_OK_METHOD, let decoded = method.decoded else { return }
        let ok = decoded.assumingMemoryBound(to: amqp_queue_declare_ok_t.self).pointee
        // A late answer to a question that was given up is told by its name.
        guard asked?.queue == ok.queue.text else { return }
        give(QueueDepth(messages: Int(ok.message_count), consumers: Int(ok.consumer_count)))
    }

    override func ended(written: UInt64, isConnectionGone: Bool) {
        give(nil)
        guard isConnectionGone else { return }
        while let question = waiting.popFirst() { question.waiter.resume(returning: nil) }
    }
}
