/// A card's brand, with the two spellings Stripe uses (stripe-stateful-mock's map; fixtures of stripe/openapi).
enum Brand: UInt8, Sendable {
    case visa, mastercard, amex, discover, diners, jcb, unionpay

    /// As in `payment_method_details.card.brand`.
    var word: String {
        switch self {
        case .visa: "visa"
        case .mastercard: "mastercard"
        case .amex: "amex"
        case .discover: "discover"
        case .diners: "diners"
        case .jcb: "jcb"
        case .unionpay: "unionpay"
        }
    }

    /// As in a legacy card object.
    var title: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .amex: "American Express"
        case .discover: "Discover"
        case .diners: "Diners Club"
        case .jcb: "JCB"
        case .unionpay: "UnionPay"
        }
    }

    /// Digits of its security code.
    var cvcLength: ClosedRange<Int> { self == .amex ? 3...4 : 3...3 }
}
