internal import CRabbitMQ

extension BrokerLink {
    /// Sorts a frame by its channel.
    func received(_ frame: amqp_frame_t) {
        if frame.channel == 0 {
            if frame.frame_type == UInt8(AMQP_FRAME_METHOD) { receivedOnConnection(frame.payload.method) }
            return
        }
        guard let channel = channel(frame.channel), channel.isOpen else { return }
        switch Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD:
            let method = frame.payload.method
            switch method.id {
            case AMQP_CHANNEL_CLOSE_METHOD: channel.closedByBroker(ServerWords(method))
            default: channel.received(method)
            }
        case AMQP_FRAME_HEADER:
            guard let decoded = frame.payload.properties.decoded else { return }
            channel.received(
                properties: decoded.assumingMemoryBound(to: amqp_basic_properties_t.self),
                bodySize: frame.payload.properties.body_size)
        case AMQP_FRAME_BODY:
            channel.received(body: frame.payload.body_fragment)
        default: break
        }
    }

    private func channel(_ number: UInt16) -> LinkChannel? {
        let index = Int(number) - 1
        if channels.indices.contains(index) { return channels[index] }
        return depths?.number == number ? depths : nil
    }

    private func receivedOnConnection(_ method: amqp_method_t) {
        switch method.id {
        case AMQP_CONNECTION_CLOSE_METHOD:
            wire?.out.connectionCloseOK()
            wire?.closeAfterWriting()
            broken(ServerWords(method).connectionProblem)
        case AMQP_CONNECTION_CLOSE_OK_METHOD:
            finishClosing()
        case AMQP_CONNECTION_BLOCKED_METHOD:
            guard let decoded = method.decoded else { return }
            let words = decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee.reason.text
            publisher?.setBlocked(words)
            refresh()
        case AMQP_CONNECTION_UNBLOCKED_METHOD:
            publisher?.setBlocked(nil)
            refresh()
        default: break
        }
    }
}
