/// A currency that Stripe charges in, with the rules of its amounts. Amounts are always whole minor units *as Stripe
/// counts them*, which for isk and ugx is not what ISO 4217 says; nothing in chargeline multiplies one.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The largest amount of any card payment: twelve digits (docs.stripe.com/currencies). What an account may charge
    /// at most is Stripe's business and often less.
    public static let maximumAmount: Int64 = 999_999_999_999

    /// Every currency of the table, by code.
    public static var all: [Currency] { CurrencyTable.rules.indices.map { Currency(index: UInt8($0)) } }

    // A place in the table: one byte, so that a request stays small and comparing is cheap.
    private let index: UInt8

    private init(index: UInt8) {
        self.index = index
    }

    /// The currency with this three-letter code, in any case; nil when Stripe charges in no such currency.
    public init?(_ code: String) {
        var key: UInt32 = 0
        var length = 0
        for byte in code.utf8 {
            length += 1
            guard length <= 3 else { return nil }
            let lower = byte | 0x20
            guard byte >= UInt8(ascii: "A"), lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "z") else { return nil }
            key = key << 8 | UInt32(lower)
        }
        guard length == 3, let index = CurrencyTable.index(ofKey: key) else { return nil }
        self.index = index
    }

    private var rule: CurrencyRule { CurrencyTable.rules[Int(index)] }

    /// The three letters, lower-case.
    public var code: String { rule.code }
    /// How many digits of an amount stand behind the point: 2 for usd, 0 for jpy, 3 for kwd.
    public var exponent: Int { rule.exponent }
    /// The smallest charge, in minor units. Where Stripe publishes none it is 1: the limit is then the one of the
    /// account's own currency, which only Stripe can tell.
    public var minimumAmount: Int64 { rule.minimum }
    /// What an amount must be a multiple of: 100 for isk and ugx, 10 for currencies of three decimals, else 1.
    public var step: Int64 { rule.step }
    /// The code.
    public var description: String { code }
}
