internal import CRabbitMQ
internal import EventLoop

/// Who waits for a publish: the continuation of a task, or a closure.
enum PublishWaiter {
    case task(UnsafeContinuation<PublishOutcome, Never>)
    case closure((PublishOutcome) -> Void)

    func finish(_ outcome: PublishOutcome) {
        switch self {
        case .task(let continuation): continuation.resume(returning: outcome)
        case .closure(let done): done(outcome)
        }
    }
}

/// A message on its way out.
struct Publish {
    let message: Message
    let exchange: String
    let routingKey: String
    let isMandatory: Bool
    let waiter: PublishWaiter
    let deadline: Int64
    let bytes: Int
}

/// The channel that publishes, with confirms.
final class PublishingChannel: LinkChannel {
    private var tracker = ConfirmTracker<PublishWaiter>()
    private var backlog = RingBuffer<Publish>()
    private var backlogBytes = 0
    private var settled: [ConfirmTracker<PublishWaiter>.Settled] = []
    private var returning: (code: Int, text: String)?
    private var expiry: LoopTimer?
    /// The broker's words while it takes no publishes.
    private(set) var blocked: String?

    override init(number: UInt16, context: ChannelContext) {
        super.init(number: number, context: context)
        expiry = context.loop.makeTimer { [unowned self] in expire() }
    }

    deinit {
        expiry?.disarm()
    }

    /// Publishes that have no outcome yet.
    var outstanding: Int { tracker.count + backlog.count }

    override var description: String { "opening the publishing channel" }

    override func begin(_ out: FrameBuffer, isNew: Bool) {
        out.confirmSelect(number)
    }

    // MARK: Publishing

    func publish(_ publish: Publish) {
        guard isReady, let wire else { return publish.waiter.finish(.notSent(.disconnected)) }
        if let blocked { return publish.waiter.finish(.notSent(.blocked(blocked))) }
        if publish.message.body.count > context.plan.limits.bodyBytesMax {
            return publish.waiter.finish(.notSent(.tooLarge("body")))
        }
        if backlog.isEmpty, hasRoom(for: publish) { return write(publish, wire) }
        guard backlogBytes + publish.bytes <= context.plan.limits.queuedBytesMax else {
            return publish.waiter.finish(.notSent(.full))
        }
        backlog.append(publish)
        backlogBytes += publish.bytes
    }

    /// connection.blocked and unblocked. What was not written yet is surely not sent.
    func setBlocked(_ words: String?) {
        blocked = words
        if let words { dropBacklog(.blocked(words)) }
    }

    private func hasRoom(for publish: Publish) -> Bool {
        tracker.count == 0 || tracker.unconfirmedBytes + publish.bytes <= context.plan.limits.unconfirmedBytesMax
    }

    private func write(_ publish: Publish, _ wire: Wire) {
        let out = wire.out
        let mark = out.mark
        let number = Int64(tracker.nextTag)
        let tableSize = out.publish(
            publish.message,
            .init(
                channel: self.number, exchange: publish.exchange, routingKey: publish.routingKey,
                mandatory: publish.isMandatory,
                numbered: publish.isMandatory ? (context.plan.publishHeader, number) : nil),
            frameMax: wire.frameMax)
        if out.hasFault || tableSize > context.plan.limits.headerBytesMax {
            let part = out.hasFault ? "a name or property of over 255 bytes" : "headers"
            out.takeBack(to: mark)
            return publish.waiter.finish(.notSent(.tooLarge(part)))
        }
        tracker.published(publish.waiter, bytes: publish.bytes, end: out.end, deadline: publish.deadline)
        if expiry?.isArmed == false { expiry?.arm(at: publish.deadline) }
    }

    private func writeBacklog() {
        guard let wire, blocked == nil else { return }
        while let next = backlog.first, hasRoom(for: next) {
            _ = backlog.popFirst()
            backlogBytes -= next.bytes
            write(next, wire)
        }
    }

    private func dropBacklog(_ reason: NotSentReason) {
        var dropped = backlog
        backlog.removeAll()
        backlogBytes = 0
        while let publish = dropped.popFirst() { publish.waiter.finish(.notSent(reason)) }
    }

    // MARK: What the broker says

    override func received(_ method: amqp_method_t) {
        guard let decoded = method.decoded else { return }
        switch method.id {
        case AMQP_CONFIRM_SELECT_OK_METHOD:
            becomeReady()
        case AMQP_BASIC_ACK_METHOD:
            let ack = decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee
            answered(ack.delivery_tag, multiple: ack.multiple != 0, nack: false)
        case AMQP_BASIC_NACK_METHOD:
            let nack = decoded.assumingMemoryBound(to: amqp_basic_nack_t.self).pointee
            answered(nack.delivery_tag, multiple: nack.multiple != 0, nack: true)
        case AMQP_BASIC_RETURN_METHOD:
            let returned = decoded.assumingMemoryBound(to: amqp_basic_return_t.self).pointee
            returning = (Int(returned.reply_code), returned.reply_text.text)
        default: break
        }
    }

    /// The properties of a returned message hold its number. Its body is let go by.
    override func received(properties: UnsafePointer<amqp_basic_properties_t>, bodySize: UInt64) {
        guard let (code, text) = returning else { return }
        returning = nil
        let flags = Int32(bitPattern: properties.pointee._flags)
        guard flags & AMQP_BASIC_HEADERS_FLAG != 0, let entries = properties.pointee.headers.entries else { return }
        for index in 0..<Int(properties.pointee.headers.num_entries)
        where entries[index].value.kind == UInt8(ascii: "l") {
            guard entries[index].key.text == context.plan.publishHeader else { continue }
            tracker.returned(UInt64(clamping: entries[index].value.value.i64), code: code, text: text)
        }
    }

    override func ended(written: UInt64, isConnectionGone: Bool) {
        returning = nil
        if isConnectionGone { blocked = nil }
        expiry?.disarm()
        var dropped: [ConfirmTracker<PublishWaiter>.Settled] = []
        tracker.drop(written: written, reason: .disconnected, into: &dropped)
        for one in dropped { one.waiter.finish(one.outcome) }
        dropBacklog(.disconnected)
    }

    private func answered(_ tag: UInt64, multiple: Bool, nack: Bool) {
        // Waiters may publish again at once: nothing of ours may be under access meanwhile.
        var settled = self.settled
        self.settled = []
        tracker.answered(tag, multiple: multiple, nack: nack, into: &settled)
        if !backlog.isEmpty { writeBacklog() }
        for one in settled { one.waiter.finish(one.outcome) }
        settled.removeAll(keepingCapacity: true)
        self.settled = settled
    }

    private func expire() {
        let now = LoopClock.monotonic()
        var expired: [ConfirmTracker<PublishWaiter>.Settled] = []
        tracker.expire(now: now, into: &expired)
        while let first = backlog.first, first.deadline <= now {
            _ = backlog.popFirst()
            backlogBytes -= first.bytes
            first.waiter.finish(.notSent(.full))
        }
        if let next = tracker.nextDeadline(after: now) { expiry?.arm(at: next) }
        for one in expired { one.waiter.finish(one.outcome) }
    }
}
