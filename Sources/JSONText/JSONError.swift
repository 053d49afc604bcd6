/// Why a text is not the JSON that was asked for, and where. It never holds a piece of the text, which may be secret.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong; the raw value is a stable word for logs and answers.
    public enum Code: String, Sendable, Equatable, CaseIterable {
        /// The text stops inside a value.
        case unexpectedEnd = "unexpected_end"
        /// A byte that cannot stand here.
        case unexpectedByte = "unexpected_byte"
        /// A value, but not of the kind asked for.
        case wrongKind = "wrong_kind"
        /// Not a number as JSON writes them.
        case invalidNumber = "invalid_number"
        /// A number with a fraction, an exponent or the form `-0`, where a plain integer must stand.
        case notAnInteger = "not_an_integer"
        /// An integer that does not fit 64 bits, or a number beyond the range of a Double.
        case numberTooBig = "number_too_big"
        /// A number longer than the limit.
        case numberTooLong = "number_too_long"
        /// A control character in a string that must be escaped.
        case controlCharacter = "control_character"
        /// A backslash followed by something that JSON does not know.
        case invalidEscape = "invalid_escape"
        /// Half of a surrogate pair: no character.
        case loneSurrogate = "lone_surrogate"
        /// Bytes that are not UTF-8.
        case invalidUTF8 = "invalid_utf8"
        /// `\u0000` where the limits refuse it.
        case refusedNUL = "refused_nul"
        /// Nested deeper than the limit.
        case tooDeep = "too_deep"
        /// More bytes than the limit.
        case tooLarge = "too_large"
        /// Something stands behind the document.
        case trailingBytes = "trailing_bytes"
        /// The reader's calls came in an order that no document has: a fault of the caller, not of the text.
        case outOfOrder = "out_of_order"
    }

    /// What is wrong.
    public let code: Code
    /// Byte offset at which it was noticed, from 0.
    public let offset: Int

    /// An error with its place.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// For people: `unexpected byte at byte 12`.
    public var description: String {
        "\(String(code.rawValue.map { $0 == "_" ? " " : $0 })) at byte \(offset)"
    }
}
