/// An error as Stripe answers it (Stripe docs: errors). Only what is set is written.
struct StripeFailure: Error, Sendable {
    var status = 400
    var type = "invalid_request_error"
    var code: String?
    var message: String
    var param: String?
    /// A refused card.
    var decline: Kept<Decline>?
    /// The newer flow always names the bank's reason; the older leaves it out where it says no more than the code.
    var namesEveryReason = true
    /// Number of the failed charge.
    var charge: Int?
    /// The payment intent left behind.
    var intent: IntentView?
    /// Execution had begun: the answer is kept under the idempotency key.
    var isSaved = false
    var shouldRetry: Bool?
    /// Header `Stripe-Rate-Limited-Reason`.
    var limitReason: String?

    init(_ message: String, status: Int = 400, code: String? = nil, param: String? = nil) {
        self.message = message
        self.status = status
        self.code = code
        self.param = param
    }

    /// The same, kept under the idempotency key.
    var saved: StripeFailure {
        var failure = self
        failure.isSaved = true
        return failure
    }

    /// The same, of type `card_error`.
    var asCardError: StripeFailure {
        var failure = self
        failure.type = "card_error"
        return failure
    }

    /// The same, as found before execution began.
    var unsaved: StripeFailure {
        var failure = self
        failure.isSaved = false
        return failure
    }

    // MARK: Of parameters

    static func missing(_ param: String) -> StripeFailure {
        StripeFailure("Missing required param: \(param).", code: "parameter_missing", param: param)
    }

    static func unknown(_ param: String) -> StripeFailure {
        StripeFailure("Received unknown parameter: \(param)", code: "parameter_unknown", param: param)
    }

    static func empty(_ param: String) -> StripeFailure {
        StripeFailure(
            "You passed an empty string for '\(param)'. We assume empty values are an attempt to unset a parameter; "
                + "however '\(param)' cannot be unset. You should remove '\(param)' from your request or supply a "
                + "non-empty value.",
            code: "parameter_invalid_empty", param: param)
    }

    static func notInteger(_ param: String, _ value: String) -> StripeFailure {
        StripeFailure("Invalid integer: \(value)", code: "parameter_invalid_integer", param: param)
    }

    static func wrong(_ param: String, _ message: String) -> StripeFailure {
        StripeFailure(message, param: param)
    }

    // MARK: Of objects

    /// 404 for what the path names, 400 for what a parameter names (stripe-dotnet#1258).
    static func noSuch(_ what: String, _ id: String, param: String, status: Int = 400) -> StripeFailure {
        StripeFailure("No such \(what): '\(id)'", status: status, code: "resource_missing", param: param)
    }

    static func unexpectedState(_ message: String, _ intent: IntentView) -> StripeFailure {
        var failure = StripeFailure(message, code: "payment_intent_unexpected_state").saved
        failure.intent = intent
        return failure
    }

    // MARK: Of cards

    static func card(_ decline: Kept<Decline>, charge: Int? = nil, intent: IntentView? = nil) -> StripeFailure {
        let facts = decline.value
        var failure = StripeFailure(facts.message, status: 402, code: facts.code, param: facts.param).saved
        failure.type = "card_error"
        failure.decline = decline
        failure.charge = charge
        failure.intent = intent
        failure.namesEveryReason = intent != nil
        return failure
    }

    // MARK: Of the service

    static func authentication(_ message: String) -> StripeFailure {
        StripeFailure(message, status: 401)
    }

    static func rateLimited(_ reason: String) -> StripeFailure {
        var failure = StripeFailure(
            "Request rate limit exceeded. Learn more about rate limits: https://stripe.com/docs/rate-limits.",
            status: 429, code: "rate_limit")
        failure.limitReason = reason
        return failure
    }

    static func idempotency(_ message: String) -> StripeFailure {
        var failure = StripeFailure(message)
        failure.type = "idempotency_error"
        return failure
    }

    static func keyInUse(_ key: String) -> StripeFailure {
        StripeFailure(
            "There is currently another in-progress request using this Idempotent Key (that probably means you "
                + "submitted twice, and the other request is still going through): \(key). Please try again later.",
            status: 409, code: "idempotency_key_in_use")
    }

    static let lockTimeout: StripeFailure = {
        var failure = StripeFailure(
            "This object cannot be accessed right now because another API request or Stripe process is currently "
                + "accessing it. If you see this error intermittently, retry the request.",
            status: 429, code: "lock_timeout")
        failure.shouldRetry = true
        return failure
    }()

    static func server(_ status: Int) -> StripeFailure {
        var failure = StripeFailure(
            "An unknown error occurred. If you have any questions, we can help at https://support.stripe.com/.",
            status: status)
        failure.type = "api_error"
        return failure
    }
}
