public import Charging
public import Messaging

/// Parked messages on their way back to work, or out of it.
extension ChargeTopology {
    /// A charge for its lane, by the queue of those coming back: served with at most half the slots, so that new ones
    /// do not wait for a thousand of them.
    ///
    /// - Parameters:
    ///   - message: as it was parked.
    ///   - delivery: its lane, and its headers as a worker is to see them.
    public func returned(_ message: Message, as delivery: ChargeDelivery) -> RoutedMessage {
        RoutedMessage(
            exchange: charges, routingKey: "retry.\(delivery.lane)",
            message: copy(message, delivery.headers.messageHeaders))
    }

    /// A result for the results exchange, as it was before its consumer rejected it.
    public func returned(_ message: Message, lane: String, status: String) -> RoutedMessage {
        RoutedMessage(exchange: results, routingKey: "\(lane).\(status)", message: copy(message, []))
    }

    /// The AMQP `type` of a record of what a person discarded.
    public static let discardedType = "charge.discarded"

    /// The record of a message that a person takes out for good: on the results exchange, where all ends are told.
    ///
    /// - Parameters:
    ///   - body: the record.
    ///   - event: the same on every duplicate of it.
    ///   - at: when, ms since 1970.
    public func discarded(
        _ body: [UInt8], event: String, lane: String, correlationID: String?, at milliseconds: Int64
    ) -> RoutedMessage {
        RoutedMessage(
            exchange: results, routingKey: "\(lane).discarded",
            message: Message(
                body: body, contentType: "application/json", messageID: event, correlationID: correlationID,
                type: Self.discardedType, timestamp: milliseconds / 1000))
    }

    /// The message with these headers, and those of a newer version's that are named as ours are. Nothing of why it was
    /// parked, and never `x-death`, with which RabbitMQ hides a message at its next wait.
    private func copy(_ message: Message, _ headers: [MessageHeader]) -> Message {
        let dropped = [ChargeHeaders.Name.publish, ChargeHeaders.Name.reason]
        let others = message.headers.filter { header in
            header.name.hasPrefix(ChargeHeaders.Name.prefix) && header.value != .other && !dropped.contains(header.name)
                && !headers.contains { $0.name == header.name }
        }
        var copy = message
        copy.persistent = true
        copy.headers = headers + others
        return copy
    }
}
