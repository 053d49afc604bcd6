/// One wish to move money, as a message on the lane's queue carries it. Made from outside bytes by `init(json:…)`,
/// `init(form:…)` or a `ChargeDraft`, which check every rule; the plain initializer checks nothing.
public struct ChargeRequest: Hashable, Sendable {
    /// Names the charge; the idempotency key at Stripe.
    public var id: ChargeID
    /// What pays. Nil means the customer's default card.
    public var token: CardToken?
    /// Minor units as Stripe counts them.
    public var amount: Int64
    /// The currency of the amount.
    public var currency: Currency
    /// Shown to the merchant, and to the buyer on Stripe's receipt.
    public var description: String?
    /// The caller's own pairs.
    public var metadata: ChargeMetadata
    /// Where Stripe sends its receipt, in live mode.
    public var receiptEmail: String?
    /// The end of the text on the card's statement.
    public var statementDescriptorSuffix: String?
    /// `cus_…`.
    public var customer: String?
    /// False only reserves the money.
    public var capture: Bool
    /// The buyer is not there (a subscription, a dunning run): Stripe's `off_session`.
    public var offSession: Bool
    /// `acct_…`: charged on this connected account, by the header `Stripe-Account`.
    public var stripeAccount: String?
    /// No first send after this moment, in milliseconds since 1970.
    public var notAfter: Int64?
    /// Which mode the caller means; compared with the key's mode by the worker. Nil: whichever.
    public var livemode: Bool?

    /// A request from values that are known to be right.
    public init(
        id: ChargeID, token: CardToken?, amount: Int64, currency: Currency, description: String? = nil,
        metadata: ChargeMetadata = ChargeMetadata(), receiptEmail: String? = nil,
        statementDescriptorSuffix: String? = nil,
        customer: String? = nil, capture: Bool = true, offSession: Bool = false, stripeAccount: String? = nil,
        notAfter: Int64? = nil, livemode: Bool? = nil
    ) {
        self.id = id
        self.token = token
        self.amount = amount
        self.currency = currency
        self.description = description
        self.metadata = metadata
        self.receiptEmail = receiptEmail
        self.statementDescriptorSuffix = statementDescriptorSuffix
        self.customer = customer
        self.capture = capture
        self.offSession = offSession
        self.stripeAccount = stripeAccount
        self.notAfter = notAfter
        self.livemode = livemode
    }

    /// Whether what pays might pay more than once, so that a second charge would not be stopped by the token being
    /// spent.
    public var paysReusably: Bool { token?.isReusable(customer: customer) ?? true }
}
