internal import ChargeWire
internal import Charging
internal import Messaging

/// The broker as a visit needs it: two links, since under a memory alarm the broker stops reading from those who
/// publish, acks included.
final class LiveBroker: BrokerPort {
    private let publishing: BrokerLink
    private let consuming: BrokerLink
    private let topology: ChargeTopology
    /// Courtesy copies to `reply_to` that the broker did not take.
    private(set) var lostCopies = 0

    init(publishing: BrokerLink, consuming: BrokerLink, topology: ChargeTopology) {
        self.publishing = publishing
        self.consuming = consuming
        self.topology = topology
    }

    func isOpen(_ delivery: ChargeDelivery) -> Bool {
        consuming.isOpen(Receipt(delivery.handle))
    }

    func ack(_ delivery: ChargeDelivery) {
        consuming.ack(Receipt(delivery.handle))
    }

    func publish(_ outgoing: OutgoingMessage) async -> PublishWord {
        let routed = topology.message(for: outgoing)
        // Without a durable results queue there may be no queue at all for a result.
        var mandatory = true
        if case .result = outgoing { mandatory = topology.keepsResults }
        let outcome = await publishing.publish(
            routed.message, exchange: routed.exchange, routingKey: routed.routingKey, mandatory: mandatory)
        switch outcome {
        case .confirmed:
            if case .result(_, let delivery) = outgoing, let queue = delivery.replyTo {
                copy(routed.message, to: queue)
            }
            return .confirmed
        case .nacked, .returned, .notSent(.tooLarge): return .refused
        case .notSent, .lost: return .lost
        }
    }

    /// The copy for the request's `reply_to`, once the durable result is confirmed; never waited for.
    private func copy(_ result: Message, to queue: String) {
        // Our own queues take no replies: a result there would be read as a charge.
        guard !queue.isEmpty, queue != topology.prefix, !queue.hasPrefix(topology.prefix + ".") else {
            return
        }
        publishing.startPublish(result, exchange: "", routingKey: queue) { [unowned self] outcome in
            if outcome != .confirmed { lostCopies += 1 }
        }
    }
}
