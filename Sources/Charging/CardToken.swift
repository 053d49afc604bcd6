/// What stands for the card: a token, payment method, source or card id of Stripe. It can be spent, so it cannot be
/// printed: every way of turning it into text shows `tok_…`; only `reveal()` gives it out.
public struct CardToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kinds, by the prefix of the id.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `tok_…`: made by a checkout page or app, used once (Stripe's test tokens excepted).
        case token = "tok_"
        /// `pm_…`: a payment method.
        case paymentMethod = "pm_"
        /// `src_…`: a source, the older kind of payment method.
        case source = "src_"
        /// `card_…`: a card saved at a customer; useless without the customer.
        case card = "card_"

        /// The kind of the id `text`; nil for any other text.
        init?(of text: String) {
            let bytes = text.utf8
            if bytes.starts(with: "tok_".utf8) {
                self = .token
            } else if bytes.starts(with: "pm_".utf8) {
                self = .paymentMethod
            } else if bytes.starts(with: "src_".utf8) {
                self = .source
            } else if bytes.starts(with: "card_".utf8) {
                self = .card
            } else {
                return nil
            }
        }
    }

    /// The most characters a token may have. Stripe says 5,000 for the parameter; its ids have under 40.
    public static let maximumLength = 255

    private static let characters = ByteSet.lettersDigits(and: "_")

    /// What kind of id it is.
    public let kind: Kind
    private let text: String

    /// Takes `text` as a token, or throws the problem of the field `token`. The field is where careless code puts the
    /// card's own number, so any run of 13 or more digits is refused as one.
    public init(validating text: String) throws(FieldProblem) {
        guard !text.isEmpty else {
            throw FieldProblem("token", .missing, "token is empty: send the tok_…, pm_… or src_… id that Stripe made")
        }
        if CardNumbers.holdsLongDigitRun(text) {
            throw FieldProblem(
                "token", .cardNumber,
                "token holds what looks like a card number: tokenize the card at Stripe and send the tok_… id instead")
        }
        guard let kind = Kind(of: text), text.utf8.count > kind.rawValue.utf8.count,
            text.utf8.count <= CardToken.maximumLength,
            CardToken.characters.holds(text)
        else {
            throw FieldProblem(
                "token", .invalidFormat,
                "token must be one Stripe id that begins with tok_, pm_, src_ or card_, without spaces or additions")
        }
        self.kind = kind
        self.text = text
    }

    /// The id itself, for the request to Stripe and the canonical body; nowhere else.
    public func reveal() -> String { text }

    /// Whether it can surely pay only once: `tok_1…` with 20 or more letters and digits after `tok_`. Stripe's reusable
    /// test tokens (`tok_visa`) do not begin with a digit.
    public var isOneTime: Bool {
        guard kind == .token else { return false }
        let rest = text.utf8.dropFirst(Kind.token.rawValue.utf8.count)
        return rest.first == UInt8(ascii: "1") && rest.count >= 20 && !rest.contains(UInt8(ascii: "_"))
    }

    /// Whether it might pay more than once, so that Stripe would not catch a second charge by the token alone. Unsure
    /// counts as yes; a payment method that is attached to no customer pays once.
    public func isReusable(customer: String?) -> Bool {
        switch kind {
        case .token: !isOneTime
        case .paymentMethod: customer != nil || text.hasPrefix("pm_card_")
        case .source, .card: true
        }
    }

    /// The kind and a mask.
    public var description: String { kind.rawValue + "…" }
    /// The kind and a mask.
    public var debugDescription: String { description }
    /// Nothing but the mask, so that `dump` and a debugger's tree show no token either.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
