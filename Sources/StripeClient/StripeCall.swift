internal import Charging
internal import HTTPClient

/// One call of the API, before it is given a key and a base.
struct StripeCall {
    /// The kinds of answers, by their size.
    enum Answer {
        /// One object.
        case object
        /// A page of them: a hundred, each with up to 50 metadata values of 500 characters.
        case page
    }

    var method: HTTPMethod
    /// The address without its base, encoded.
    var path: String
    var body: [UInt8] = []
    var idempotencyKey: IdempotencyKey?
    /// The connected account it is made for.
    var account: String?
    var answer = Answer.object

    /// Where `Idempotency-Key` is set, and nowhere else.
    var fields: [HeaderField] {
        switch (idempotencyKey, account) {
        case (nil, nil): []
        case (let key?, nil): [HeaderField("Idempotency-Key", key.text)]
        case (nil, let account?): [HeaderField("Stripe-Account", account)]
        case (let key?, let account?):
            [HeaderField("Idempotency-Key", key.text), HeaderField("Stripe-Account", account)]
        }
    }
}

/// What makes a repeated POST one effect. The charge's own key is its id and nothing else: no attempt, token or amount;
/// `/` stands in no id, so the others are nobody's charge.
struct IdempotencyKey {
    let text: String

    /// Of the charge itself.
    static func charge(_ id: ChargeID) -> IdempotencyKey { IdempotencyKey(text: id.text) }
    /// Of the cancellation of its intent.
    static func cancel(_ id: ChargeID) -> IdempotencyKey { IdempotencyKey(text: id.text + "/cancel") }
    /// Of spending its token on nothing.
    static func burn(_ id: ChargeID) -> IdempotencyKey { IdempotencyKey(text: id.text + "/burn") }
}
