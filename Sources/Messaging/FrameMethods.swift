// The methods that a link sends after its login, as AMQP 0-9-1 writes them: class, method, arguments.
extension FrameBuffer {
    private func method(_ channel: UInt16, _ classID: UInt16, _ methodID: UInt16, _ arguments: () -> Void = {}) {
        byte(1)
        short(channel)
        let length = mark
        long(0)
        short(classID)
        short(methodID)
        arguments()
        patchLong(at: length, UInt32(mark - length - 4))
        byte(0xCE)
    }

    func heartbeat() {
        byte(8)
        short(0)
        long(0)
        byte(0xCE)
    }

    func connectionClose(_ text: String) {
        method(0, 10, 50) {
            short(200)
            shortText(text)
            long(0)
        }
    }

    func connectionCloseOK() { method(0, 10, 51) }

    func channelOpen(_ channel: UInt16) {
        method(channel, 20, 10) { shortText("") }
    }

    func channelCloseOK(_ channel: UInt16) { method(channel, 20, 41) }

    func confirmSelect(_ channel: UInt16) {
        method(channel, 85, 10) { byte(0) }
    }

    func qos(_ channel: UInt16, prefetch: Int) {
        method(channel, 60, 10) {
            long(0)
            short(UInt16(clamping: prefetch))
            byte(0)
        }
    }

    func consume(_ channel: UInt16, queue: String, tag: String, exclusive: Bool, arguments: [MessageHeader]) {
        method(channel, 60, 20) {
            short(0)
            shortText(queue)
            shortText(tag)
            byte(exclusive ? 4 : 0)
            table(arguments)
        }
    }

    func cancel(_ channel: UInt16, tag: String) {
        method(channel, 60, 30) {
            shortText(tag)
            byte(0)
        }
    }

    func ack(_ channel: UInt16, _ ack: AckWindow.Ack) {
        method(channel, 60, 80) {
            longLong(ack.tag)
            byte(ack.multiple ? 1 : 0)
        }
    }

    func queueDeclarePassive(_ channel: UInt16, queue: String) {
        method(channel, 50, 10) {
            short(0)
            shortText(queue)
            byte(1)
            long(0)
        }
    }
}

// A publish: a method frame, a header frame, and the body in frames of the negotiated size.
extension FrameBuffer {
    /// What a publish needs beside its message.
    struct Route {
        let channel: UInt16
        let exchange: String
        let routingKey: String
        let mandatory: Bool
        /// The header that carries the publish's number, so that its return can be told; only mandatory ones can
        /// return.
        let numbered: (name: String, value: Int64)?
    }

    /// Appends a publish; returns the size of its header table.
    func publish(_ message: Message, _ route: Route, frameMax: Int) -> Int {
        method(route.channel, 60, 40) {
            short(0)
            shortText(route.exchange)
            shortText(route.routingKey)
            byte(route.mandatory ? 1 : 0)
        }
        let tableSize = header(message, route)
        var offset = 0
        message.body.withUnsafeBytes { body in
            guard let base = body.baseAddress else { return }
            while offset < body.count {
                let size = min(body.count - offset, frameMax - 8)
                byte(3)
                short(route.channel)
                long(UInt32(size))
                bytes(base + offset, size)
                byte(0xCE)
                offset += size
            }
        }
        return tableSize
    }

    private func header(_ message: Message, _ route: Route) -> Int {
        byte(2)
        short(route.channel)
        let length = mark
        long(0)
        short(60)
        short(0)
        longLong(UInt64(message.body.count))
        let hasTable = !message.headers.isEmpty || route.numbered != nil
        short(flags(message, hasTable))
        // In the order of the specification's property list.
        if let text = message.contentType { shortText(text) }
        let tableSize = hasTable ? table(message.headers, and: route.numbered) : 0
        byte(message.persistent ? 2 : 1)
        if let text = message.correlationID { shortText(text) }
        if let text = message.replyTo { shortText(text) }
        if let text = message.messageID { shortText(text) }
        if let seconds = message.timestamp { longLong(UInt64(bitPattern: seconds)) }
        if let text = message.type { shortText(text) }
        patchLong(at: length, UInt32(mark - length - 4))
        byte(0xCE)
        return tableSize
    }

    private func flags(_ message: Message, _ hasTable: Bool) -> UInt16 {
        var flags: UInt16 = 1 << 12
        if message.contentType != nil { flags |= 1 << 15 }
        if hasTable { flags |= 1 << 13 }
        if message.correlationID != nil { flags |= 1 << 10 }
        if message.replyTo != nil { flags |= 1 << 9 }
        if message.messageID != nil { flags |= 1 << 7 }
        if message.timestamp != nil { flags |= 1 << 6 }
        if message.type != nil { flags |= 1 << 5 }
        return flags
    }
}
