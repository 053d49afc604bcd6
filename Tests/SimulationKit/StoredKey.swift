import Charging

/// What Stripe keeps under an idempotency key.
final class StoredKey {
    /// The calls that can bring one; the same key at another is a mismatch.
    enum Call: Equatable {
        case charge(Flow)
        case cancel
        case burn
    }

    let text: String
    let call: Call
    let body: [UInt8]
    /// When it was first seen: it is forgotten a day later.
    let created: Int64
    /// The answer that every repeat gets; nil while the first request is being executed.
    var answer: StripeAnswer?

    /// Keys are forgotten when they are this old (api/idempotent_requests).
    static let keeps: Int64 = 24 * Weather.hour

    init(_ text: String, _ call: Call, body: [UInt8], created: Int64) {
        self.text = text
        self.call = call
        self.body = body
        self.created = created
    }
}
