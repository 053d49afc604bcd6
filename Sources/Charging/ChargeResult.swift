/// What chargeline says about a charge: the body of a message on `chargeline.results`, of an answer of the API, and of
/// a reply. Fields are only ever added.
public struct ChargeResult: Hashable, Sendable {
    /// The version of the body's shape.
    public static let version: Int64 = 1

    /// The same on every duplicate: `<id>.<status>`, or `<id>.refused.<8 hex of the body's hash>`. Consumers drop what
    /// they have seen.
    public var event: String
    /// The charge.
    public var id: ChargeID
    /// What is said about it.
    public var status: ChargeStatus
    /// Minor units; nil when the request could not be read.
    public var amount: Int64?
    /// Nil when the request could not be read.
    public var currency: Currency?
    /// The lane it came by.
    public var lane: String
    /// The request's.
    public var metadata: ChargeMetadata
    /// The request's AMQP `correlation_id`, else the id.
    public var correlationID: String
    /// Which caller of the API it came from; nil for AMQP.
    public var caller: String?
    /// The request's.
    public var receiptEmail: String?
    /// The request's.
    public var customer: String?
    /// Where it is at Stripe.
    public var stripe: StripeReference
    /// Why it did not succeed; nil when it did.
    public var failure: ChargeFailure?
    /// How many sends to Stripe there were.
    public var attempts: Int
    /// Whether Stripe answered from its stored reply.
    public var replayed: Bool
    /// When the charge was accepted, in milliseconds since 1970; nil when that is not known.
    public var acceptedAt: Int64?
    /// When this was decided, in milliseconds since 1970.
    public var completedAt: Int64

    /// A result about a charge whose request could be read.
    public init(
        of request: ChargeRequest, status: ChargeStatus, lane: String, correlationID: String? = nil,
        caller: String? = nil,
        stripe: StripeReference = StripeReference(), failure: ChargeFailure? = nil, attempts: Int = 0,
        replayed: Bool = false, acceptedAt: Int64?, completedAt: Int64
    ) {
        self.init(
            id: request.id, status: status, lane: lane, correlationID: correlationID, caller: caller, stripe: stripe,
            failure: failure, attempts: attempts, replayed: replayed, acceptedAt: acceptedAt, completedAt: completedAt)
        amount = request.amount
        currency = request.currency
        metadata = request.metadata
        receiptEmail = request.receiptEmail
        customer = request.customer
    }

    /// A result about a charge of which only the id is known. `event` follows from id and status unless it is given.
    public init(
        id: ChargeID, status: ChargeStatus, event: String? = nil, lane: String, correlationID: String? = nil,
        caller: String? = nil, stripe: StripeReference = StripeReference(), failure: ChargeFailure? = nil,
        attempts: Int = 0, replayed: Bool = false, acceptedAt: Int64?, completedAt: Int64
    ) {
        self.event = event ?? "\(id.text).\(status.rawValue)"
        self.id = id
        self.status = status
        self.lane = lane
        self.metadata = ChargeMetadata()
        self.correlationID = correlationID ?? id.text
        self.caller = caller
        self.stripe = stripe
        self.failure = status == .declined || status == .requiresAction ? failure?.withBuyerAdvice() : failure
        self.attempts = attempts
        self.replayed = replayed
        self.acceptedAt = acceptedAt
        self.completedAt = completedAt
    }

    /// The result for a message that was not taken. Its event names the body, so that two different messages under one
    /// id are two events and the same message twice is one.
    public static func refused(
        id: ChargeID, body: [UInt8], lane: String, correlationID: String? = nil, caller: String? = nil,
        failure: ChargeFailure, acceptedAt: Int64?, completedAt: Int64
    ) -> ChargeResult {
        ChargeResult(
            id: id, status: .refused, event: "\(id.text).refused.\(Digest.sha256Hex(body, digits: 8))", lane: lane,
            correlationID: correlationID, caller: caller, failure: failure, acceptedAt: acceptedAt,
            completedAt: completedAt)
    }

    /// The status' rank: a consumer keeps the result with the highest.
    public var sequence: Int { status.sequence }
    /// Whether nothing more will be said about the charge.
    public var isFinal: Bool { status.isFinal }
}
