/// The name of one charge: what makes two messages the same charge, the idempotency key at Stripe, and the key of its
/// result. 1 to 200 of `A-Z a-z 0-9 . _ : -`. Stripe's limit for a key is 255, and `/` is kept for our own keys, such
/// as `<id>/cancel`.
public struct ChargeID: Hashable, Sendable, CustomStringConvertible {
    /// The most characters an id may have.
    public static let maximumLength = 200

    private static let characters = ByteSet.lettersDigits(and: "._:-")

    /// The id as text.
    public let text: String

    /// Takes `text` as an id, or throws the problem of the field `id`.
    public init(validating text: String) throws(FieldProblem) {
        let length = text.utf8.count
        if length == 0 {
            throw FieldProblem("id", .missing, "id is empty: give the charge a name of 1 to 200 characters")
        }
        if length > ChargeID.maximumLength {
            throw FieldProblem("id", .tooLong, "id is too long: it may have at most 200 characters")
        }
        guard ChargeID.characters.holds(text) else {
            throw FieldProblem("id", .invalidCharacters, "id may hold only the characters A-Z a-z 0-9 . _ : and -")
        }
        self.text = text
    }

    /// For ids that are made here, from characters that fit.
    init(made text: String) {
        self.text = text
    }

    /// The id as text.
    public var description: String { text }
}
