public import Charging
public import Messaging

/// A message with where it goes.
public struct RoutedMessage: Sendable {
    /// The exchange.
    public let exchange: String
    /// The routing key.
    public let routingKey: String
    /// The message: our own fields only, never a received `x-death` (RabbitMQ: such a copy vanishes at its next retry).
    public let message: Message
}

/// What chargeline publishes, as AMQP messages.
extension ChargeTopology {
    /// A new charge for its lane. `body` is the canonical JSON of a request whose rules were checked.
    public func newCharge(
        _ body: [UInt8], id: ChargeID, lane: String, headers: ChargeHeaders, correlationID: String? = nil,
        replyTo: String? = nil
    ) -> RoutedMessage {
        let message = Message(
            body: body, contentType: "application/json", messageID: id.text, correlationID: correlationID,
            replyTo: replyTo, timestamp: headers.accepted.map { $0 / 1000 }, headers: headers.messageHeaders)
        return RoutedMessage(exchange: charges, routingKey: lane, message: message)
    }

    /// What a visit publishes.
    public func message(for outgoing: OutgoingMessage) -> RoutedMessage {
        switch outgoing {
        case .result(let result, _):
            return RoutedMessage(
                exchange: results, routingKey: "\(result.lane).\(result.status.rawValue)", message: message(of: result))
        case .wait(let tier, let delivery, let headers):
            return republish(delivery, headers, exchange: wait, key: "\(tier.name).\(delivery.lane)")
        case .again(let delivery, let headers):
            let key = headers.suspect > 0 ? "suspect.\(delivery.lane)" : delivery.lane
            return republish(delivery, headers, exchange: charges, key: key)
        case .park(let reason, let delivery, let headers, let body):
            let why = MessageHeader(ChargeHeaders.Name.reason, .text(reason.rawValue))
            return republish(
                delivery, headers, exchange: parked, key: "\(delivery.lane).\(reason.rawValue)", body: body,
                further: [why])
        }
    }

    /// A result, for the results exchange or for a `reply_to` queue.
    public func message(of result: ChargeResult) -> Message {
        Message(
            body: result.json(), contentType: "application/json", messageID: result.event,
            correlationID: result.correlationID, type: "charge.\(result.status.rawValue)",
            timestamp: result.completedAt / 1000)
    }

    private func republish(
        _ delivery: ChargeDelivery, _ headers: ChargeHeaders, exchange: String, key: String, body: [UInt8]? = nil,
        further: [MessageHeader] = []
    ) -> RoutedMessage {
        let message = Message(
            body: body ?? delivery.body, contentType: "application/json", messageID: delivery.messageID,
            correlationID: delivery.correlationID, replyTo: delivery.replyTo, timestamp: delivery.timestamp,
            headers: headers.messageHeaders + further)
        return RoutedMessage(exchange: exchange, routingKey: key, message: message)
    }
}

extension ChargeHeaders {
    /// As headers of an AMQP message.
    public var messageHeaders: [MessageHeader] {
        var list: [MessageHeader] = []
        list.reserveCapacity(10)
        forEach { name, value in
            switch value {
            case .int(let number): list.append(MessageHeader(name, .int(number)))
            case .text(let text): list.append(MessageHeader(name, .text(text)))
            }
        }
        return list
    }
}

extension ChargeDelivery {
    /// A charge as a consumer of its lane got it.
    ///
    /// - Parameters:
    ///   - delivery: from the lane's new or again queue, or from the parked queue.
    ///   - lane: the lane of that queue.
    public init(_ delivery: Delivery, lane: String) {
        let message = delivery.message
        var headers = ChargeHeaders()
        var bad: String?
        for header in message.headers {
            let understood =
                switch header.value {
                case .int(let number): headers.take(header.name, .int(number))
                case .text(let text): headers.take(header.name, .text(text))
                // Ours are integers and text; of another type they would be lost without a word.
                case .bool, .other: !header.name.hasPrefix(ChargeHeaders.Name.prefix)
                }
            if !understood { bad = header.name }
        }
        self.init(
            body: message.body, lane: lane, headers: headers,
            handle: DeliveryHandle(
                epoch: Int(delivery.receipt.epoch), channel: Int(delivery.receipt.channel), tag: delivery.receipt.tag))
        badHeader = bad
        messageID = message.messageID
        correlationID = message.correlationID
        replyTo = message.replyTo
        timestamp = message.timestamp
        redelivered = delivery.redelivered
        deliveryCount = delivery.deliveryCount
    }
}

extension Receipt {
    /// What the broker client needs to ack the delivery of this handle.
    public init(_ handle: DeliveryHandle) {
        self.init(epoch: UInt32(handle.epoch), channel: UInt16(handle.channel), tag: handle.tag)
    }
}
