/// Which of Stripe's two ways of charging a card is used (`STRIPE_FLOW`). A charge keeps the flow it began with: the
/// flow travels in the header `x-chargeline-flow`.
public enum Flow: String, Hashable, Sendable, CaseIterable {
    /// `POST /v1/payment_intents`, created and confirmed in one call.
    case paymentIntents = "payment_intents"
    /// `POST /v1/charges`, the older API, for migration and for benches.
    case charges

    /// The path that the form is posted to.
    public var path: String {
        switch self {
        case .paymentIntents: "/v1/payment_intents"
        case .charges: "/v1/charges"
        }
    }

    /// The most characters of a description: Stripe takes 1,000 for a payment intent and 40,000 for a charge.
    public var maximumDescription: Int {
        switch self {
        case .paymentIntents: 1_000
        case .charges: 40_000
        }
    }
}
