/// The kind of a JSON value, known from its first byte.
public enum JSONKind: Sendable, Equatable {
    /// `{…}`
    case object
    /// `[…]`
    case array
    /// `"…"`
    case string
    /// Any number; whether it is an integer is known once it is read.
    case number
    /// `true` or `false`
    case bool
    /// `null`
    case null
}
