/// Why bytes are not a result.
public enum ChargeResultFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a JSON object; with the reader's words, which repeat nothing of the bytes.
    case notJSON(String)
    /// A field without which it says nothing is absent or not valid.
    case lacks(String)

    /// One line for a log.
    public var description: String {
        switch self {
        case .notJSON(let words): "not a result: \(words)"
        case .lacks(let field): "not a result: \(field) is absent or not valid"
        }
    }
}
