/// One thing that is wrong with a charge request: which field, what kind of fault, and a sentence that says how to mend
/// it. The sentence never repeats what the field held, so that a token or a card number cannot reach an answer, a log
/// or a parked message by way of it.
public struct FieldProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults. Where Stripe has a code for the same fault (docs.stripe.com/error-codes) it is spelled the
    /// same.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The body is not JSON, or not one JSON object.
        case invalidJSON = "invalid_json"
        /// The body is not an `application/x-www-form-urlencoded` form in UTF-8.
        case invalidForm = "invalid_form"
        /// A required field is absent, null or empty.
        case missing = "parameter_missing"
        /// No field has this name.
        case unknown = "parameter_unknown"
        /// The field stands there twice.
        case doubled = "parameter_doubled"
        /// The value is of the wrong kind, such as text where `true` or `false` belongs.
        case invalidType = "parameter_invalid_type"
        /// Not a plain integer: a decimal, an exponent, text, or beyond 64 bits.
        case invalidInteger = "parameter_invalid_integer"
        /// Below the smallest charge of the currency, or not positive.
        case amountTooSmall = "amount_too_small"
        /// More than twelve digits.
        case amountTooLarge = "amount_too_large"
        /// An amount that the currency cannot be charged in, such as a part of a króna.
        case invalidAmount = "invalid_charge_amount"
        /// Longer than the field may be.
        case tooLong = "parameter_too_long"
        /// A character that the field may not hold.
        case invalidCharacters = "invalid_characters"
        /// The field's text does not have the shape it needs: an id, a token, an e-mail address, a time.
        case invalidFormat = "parameter_invalid_format"
        /// More metadata pairs than fit.
        case tooMany = "parameter_too_many"
        /// A metadata key of the `chargeline_` kind, which are ours.
        case reserved = "parameter_reserved"
        /// The field cannot be used together with another, or in the flow that is configured.
        case exclusive = "parameters_exclusive"
        /// The body's id is not the message's.
        case idMismatch = "id_mismatch"
        /// A card number, or a field that carries raw card data. Only tokens may come this way.
        case cardNumber = "card_number"
        /// A secret key or an unspent token in a field that results repeat.
        case secret = "secret_in_text"
    }

    /// The field as Stripe's `param` spells it: `amount`, `metadata[order]`; empty when the body as a whole is at
    /// fault.
    public let field: String
    /// The same place as a JSON pointer (RFC 6901): `/amount`, `/metadata/order`; empty for the whole body.
    public let pointer: String
    /// The kind of fault.
    public let code: Code
    /// One sentence for the person who sent the request: the field and the mend, never the value.
    public let message: String

    /// A problem of a top-level field, or of the whole body (an empty `field`).
    public init(_ field: String, _ code: Code, _ message: String) {
        self.field = field
        self.pointer = field.isEmpty ? "" : "/" + FieldProblem.pointerText(field)
        self.code = code
        self.message = message
    }

    /// A problem of the metadata pair `key`.
    public init(metadataKey key: String, _ code: Code, _ message: String) {
        self.field = "metadata[\(key)]"
        self.pointer = "/metadata/" + FieldProblem.pointerText(key)
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    private static func pointerText(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        var text = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
