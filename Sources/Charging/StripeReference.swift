/// Where the charge is at Stripe.
public struct StripeReference: Hashable, Sendable {
    /// `pi_…`; nil in the charges flow.
    public var paymentIntent: String?
    /// `ch_…`; nil when no charge was made.
    public var charge: String?
    /// `Request-Id` of the answer that decided.
    public var requestID: String?
    /// Whether real money is meant.
    public var livemode: Bool?
    /// Stripe's receipt page.
    public var receiptURL: String?

    /// A reference from its parts.
    public init(
        paymentIntent: String? = nil, charge: String? = nil, requestID: String? = nil, livemode: Bool? = nil,
        receiptURL: String? = nil
    ) {
        self.paymentIntent = paymentIntent
        self.charge = charge
        self.requestID = requestID
        self.livemode = livemode
        self.receiptURL = receiptURL
    }
}
