/// A payment method of type card.
struct PaymentMethod: Sendable {
    let number: Int
    let scope: Int
    let created: Int64
    let card: Card
    var metadata = Metadata()
    var customer: Int?
    /// It paid without a customer to keep it: Stripe lets it pay no second time.
    var isSpent = false
}

/// A one-time token for a card.
struct CardToken: Sendable {
    let number: Int
    let scope: Int
    let created: Int64
    let card: Card
    /// Number of the legacy card object inside it.
    let cardNumber: Int
    var isUsed = false
    /// Monotonic nanoseconds until which the call that uses it is under way.
    var busyUntil: Int64 = 0
}

/// A customer, with the one card it may keep.
struct Customer: Sendable {
    let number: Int
    let scope: Int
    let created: Int64
    var email: String?
    var name: String?
    var description: String?
    var metadata = Metadata()
    var card: Card?
    /// Number of the legacy card object.
    var cardNumber: Int?
}
