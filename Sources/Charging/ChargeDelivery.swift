/// A charge's message as a worker got it.
public struct ChargeDelivery: Sendable {
    /// The body, as published.
    public var body: [UInt8]
    /// AMQP `message_id`: the charge id, where it is set.
    public var messageID: String?
    /// AMQP `correlation_id`.
    public var correlationID: String?
    /// AMQP `reply_to`: a queue that gets a courtesy copy of the result.
    public var replyTo: String?
    /// AMQP `timestamp`, seconds since 1970.
    public var timestamp: Int64?
    /// What earlier visits learned.
    public var headers: ChargeHeaders
    /// A header of ours that could not be understood, by name.
    public var badHeader: String?
    /// The lane it came from.
    public var lane: String
    /// The broker's flag: some worker had it before and did not ack it.
    public var redelivered: Bool
    /// How often that happened (`x-delivery-count`).
    public var deliveryCount: Int
    /// What the broker client needs to ack it.
    public var handle: DeliveryHandle

    /// Makes one; the optional facts are set afterwards.
    public init(body: [UInt8], lane: String, headers: ChargeHeaders = ChargeHeaders(), handle: DeliveryHandle) {
        self.body = body
        self.lane = lane
        self.headers = headers
        self.handle = handle
        redelivered = false
        deliveryCount = 0
    }
}

/// A delivery tag and the channel and connection it belongs to: a tag of a lost channel means nothing.
public struct DeliveryHandle: Sendable, Hashable {
    /// Counts connections and reopened channels.
    public var epoch: Int
    /// The AMQP channel.
    public var channel: Int
    /// The AMQP delivery tag.
    public var tag: UInt64

    /// Makes one.
    public init(epoch: Int, channel: Int, tag: UInt64) {
        self.epoch = epoch
        self.channel = channel
        self.tag = tag
    }
}

/// How a visit ended. Each delivery gets exactly one.
public enum Disposition: Sendable, Equatable {
    /// Its result is confirmed and the delivery acked.
    indirect case answered(ChargeResult)
    /// It is confirmed in a wait queue and acked.
    case waits(WaitTier, Phase)
    /// It is confirmed in the parked queue and acked.
    case parked(ParkReason)
    /// Stamped anew or given back: confirmed elsewhere, headers kept, and acked.
    case givenBack
    /// Not acked: its channel has gone and the broker will deliver it again.
    case left
}

/// Why a person must look.
public enum ParkReason: String, Sendable, Equatable, CaseIterable {
    /// Not a charge message at all.
    case unreadable
    /// A header of ours that this build cannot understand.
    case badHeaders = "bad-headers"
    /// A card number in it; its digits are masked.
    case cardNumber = "card-number"
    /// Sent once, and found invalid now.
    case invalidAfterSend = "invalid-after-send"
    /// May have been sent, and nothing of it at Stripe a day after.
    case absent
    /// Two succeeded objects at Stripe for one id.
    case doubled
    /// Stripe rejects, again and again, something that the caller never sent, while other charges go through.
    case needsOperator = "operator"
    /// Its workers die.
    case killsWorkers = "kills-workers"
}

/// One of the durable delays.
public struct WaitTier: Sendable, Hashable, Comparable {
    /// The delay.
    public var milliseconds: Int64

    /// Makes one.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// As in a queue's name: `600s`, or `250ms` where it is no whole second. No dot can stand in it.
    public var name: String {
        milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }

    /// By delay.
    public static func < (a: WaitTier, b: WaitTier) -> Bool { a.milliseconds < b.milliseconds }
}

extension ChargeDelivery {
    /// Eight hex digits of its body's SHA-256: names this message among all of one id.
    public var bodyMark: String { Digest.sha256Hex(body, digits: 8) }
}
