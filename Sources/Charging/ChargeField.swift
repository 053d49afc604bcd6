internal import JSONText

/// The top-level fields of a charge request.
enum ChargeField: UInt8, CaseIterable {
    case id, token, amount, currency, description, metadata, capture, customer, livemode
    case receiptEmail, statementDescriptorSuffix, offSession, stripeAccount, notAfter

    /// The name on the wire.
    var name: String {
        switch self {
        case .id: "id"
        case .token: "token"
        case .amount: "amount"
        case .currency: "currency"
        case .description: "description"
        case .metadata: "metadata"
        case .capture: "capture"
        case .customer: "customer"
        case .livemode: "livemode"
        case .receiptEmail: "receipt_email"
        case .statementDescriptorSuffix: "statement_descriptor_suffix"
        case .offSession: "off_session"
        case .stripeAccount: "stripe_account"
        case .notAfter: "not_after"
        }
    }

    /// The field a JSON name means, compared in place; the common ones are asked first.
    init?(_ name: JSONName) {
        if name.matches("id") {
            self = .id
        } else if name.matches("token") {
            self = .token
        } else if name.matches("amount") {
            self = .amount
        } else if name.matches("currency") {
            self = .currency
        } else if name.matches("description") {
            self = .description
        } else if name.matches("metadata") {
            self = .metadata
        } else if name.matches("receipt_email") {
            self = .receiptEmail
        } else if name.matches("customer") {
            self = .customer
        } else if name.matches("capture") {
            self = .capture
        } else if name.matches("livemode") {
            self = .livemode
        } else if name.matches("not_after") {
            self = .notAfter
        } else if name.matches("off_session") {
            self = .offSession
        } else if name.matches("stripe_account") {
            self = .stripeAccount
        } else if name.matches("statement_descriptor_suffix") {
            self = .statementDescriptorSuffix
        } else {
            return nil
        }
    }

    /// The field of this name.
    init?(named name: String) {
        guard let field = ChargeField.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }

    /// Its place in a set of fields.
    var bit: UInt16 { 1 << UInt16(rawValue) }
}
