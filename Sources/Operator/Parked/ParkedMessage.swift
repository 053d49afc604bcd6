internal import ChargeWire
internal import Charging
internal import JSONText
internal import Messaging

/// A message in the parked queue, as far as it may be shown.
struct ParkedMessage: Sendable {
    /// The charge's id; nil where none can be read.
    let id: String?
    /// Why it lies there, in a bounded set of words.
    let reason: String
    /// The lane it came by; `result` for a result that its consumer rejected.
    let lane: String
    /// The routing key as it is.
    let key: String
    /// The exchange it was last published to.
    let exchange: String
    /// The message, for `parked show`.
    let message: Message
    /// Its size, also where it was too large to be taken in.
    let bodyBytes: Int
    /// The message as a worker would get it, with the headers as they stand.
    let charge: ChargeDelivery

    init(_ delivery: Delivery, in topology: ChargeTopology) {
        message = delivery.message
        bodyBytes = delivery.bodyBytes
        key = delivery.routingKey
        exchange = delivery.exchange
        let words = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if exchange == topology.charges || words.count < 2 {
            // By the alternate exchange, from a sender (`<lane>`) or from a wait queue (`<delay>.<lane>`).
            lane = words.last ?? ""
            reason = Self.unknownLane
        } else {
            lane = words[0]
            reason =
                delivery.message[header: ChargeHeaders.Name.reason]?.text ?? words[1...].joined(separator: ".")
        }
        var charge = ChargeDelivery(delivery, lane: lane)
        // They count who looked at it here, not the workers that had it.
        charge.redelivered = false
        charge.deliveryCount = 0
        self.charge = charge
        id = Self.id(of: delivery.message)
    }

    /// Published for a lane that does not exist.
    static let unknownLane = "unknown-lane"
    /// Given up by the broker: it came back unsettled too often.
    static let deliveryLimit = "delivery-limit"
    /// A result that its consumer rejected.
    static let rejectedResult = "rejected"

    /// The same whenever it is delivered, in one run of the program.
    var mark: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(message.messageID)
        hasher.combine(message.body)
        return hasher.finalize()
    }

    /// Whether it is a result, and not a charge.
    var isResult: Bool { lane == "result" && reason == Self.rejectedResult }
    /// Whether its body was too large to be taken in.
    var isTooLarge: Bool { bodyBytes > message.body.count }

    /// When chargeline accepted it, ms since 1970.
    var accepted: Int64? { charge.headers.accepted ?? message.timestamp.map { $0 * 1000 } }
    /// Sends to Stripe that were counted.
    var attempts: Int { charge.headers.attempts }
    /// The first send that may have left, ms since 1970: money may have moved.
    var firstSent: Int64? { charge.headers.firstSent }

    private static func id(of message: Message) -> String? {
        if let id = message.messageID, (try? ChargeID(validating: id)) != nil { return id }
        var reader = JSONReader(message.body)
        do throws(JSONError) {
            try reader.beginObject()
            while let name = try reader.nextName() {
                if name.matches("id"), try reader.peek() == .string {
                    return (try? ChargeID(validating: try reader.string()))?.text
                }
                try reader.skip()
            }
        } catch {
            return nil
        }
        return nil
    }
}
