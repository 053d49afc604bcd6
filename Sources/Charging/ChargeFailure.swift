/// Why a charge did not succeed, for the merchant, and what of it may be shown to the buyer.
public struct ChargeFailure: Hashable, Sendable {
    /// Stripe's error code, one of ours for a request refused here, or the reason of a `not_charged` or `parked`
    /// result.
    public var code: String
    /// Stripe's `decline_code`; for the merchant only, since it may say that a card is stolen.
    public var declineCode: String?
    /// Stripe's `advice_code`: `try_again_later`, `confirm_card_data`, `do_not_try_again`.
    public var advice: String?
    /// For the merchant; scrubbed of tokens, keys and card numbers.
    public var message: String
    /// What may be shown to the buyer: the decline code, or `generic_decline` where the true one would help a thief.
    public var buyerCode: String?
    /// A plain sentence for the buyer.
    public var buyerMessage: String?
    /// The field at fault, of the request or of the card.
    public var param: String?

    /// A failure from its parts.
    public init(
        code: String, declineCode: String? = nil, advice: String? = nil, message: String, buyerCode: String? = nil,
        buyerMessage: String? = nil, param: String? = nil
    ) {
        self.code = code
        self.declineCode = declineCode
        self.advice = advice
        self.message = message
        self.buyerCode = buyerCode
        self.buyerMessage = buyerMessage
        self.param = param
    }
}
