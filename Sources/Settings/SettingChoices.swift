/// `STRIPE_FLOW`: which of Stripe's two interfaces charges.
public enum StripeFlow: String, Sendable, CaseIterable {
    /// `POST /v1/payment_intents`, confirmed in the same call.
    case paymentIntents = "payment_intents"
    /// `POST /v1/charges`, the older one.
    case charges
}

/// `CHARGELINE_SEARCH_FIRST`: when Stripe is searched for a charge before it is sent.
public enum SearchFirst: String, Sendable, CaseIterable {
    /// Only when it was accepted over 12 hours ago.
    case aged
    /// Also before every first send with a payment method that can be used again.
    case reusable
}

/// `CHARGELINE_RESULTS`: where results are kept until somebody consumes them.
public enum ResultsKeeping: String, Sendable, CaseIterable {
    /// In the durable queue `<prefix>.results`.
    case queue
    /// Nowhere: for those who only use HTTP.
    case none
}

/// `CHARGELINE_LOG`: the least important line that is written.
public enum LogVerbosity: String, Sendable, CaseIterable {
    /// Everything.
    case debug
    /// One line an outcome, and what the process does.
    case info
    /// What may need a person later.
    case warning
    /// What needs a person.
    case error
}

/// One entry of `CHARGELINE_API_KEYS`: a caller and the bearer key by which it is known.
public struct APIKey: Sendable, Equatable {
    /// The caller's id: letters, digits, `_`, `.`, `-`.
    public let id: String
    /// The bearer key.
    public let key: Secret

    /// A caller and its key.
    public init(id: String, key: Secret) {
        self.id = id
        self.key = key
    }
}
