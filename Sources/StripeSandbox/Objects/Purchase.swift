/// What the merchant said about a payment; a payment intent and its charges share it.
struct Purchase: Sendable {
    var amount: Int64
    var currency: String
    var description: String?
    var receiptEmail: String?
    var suffix: String?
    var metadata = Metadata()
    var customer: Int?

    /// chargeline's id of the charge, from its metadata.
    var chargeID: String? { metadata[Metadata.chargeID] }
}

/// What is charged, by its number: a payment method, or a legacy card of a token or customer.
enum Instrument: Sendable, Equatable {
    case method(Int)
    case card(Int)
}
