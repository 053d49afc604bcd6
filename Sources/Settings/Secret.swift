/// A text that cannot be printed: a key, a password, a URL that holds one. Every way of making text of it, and of
/// anything that contains it, shows a mask; only `reveal()` gives it out, so that each such place can be found.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What stands where a secret would.
    public static let mask = "***"

    private let text: String

    /// Wraps a secret text.
    public init(_ text: String) { self.text = text }

    /// The text itself, for the one place that sends it.
    public func reveal() -> String { text }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { text.isEmpty }

    /// The mask.
    public var description: String { Self.mask }

    /// The mask.
    public var debugDescription: String { Self.mask }

    /// A mirror without children: `dump` and the printing of a value that contains this show the mask.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable {
    /// Compares in a time that depends on the lengths alone: how long it takes says nothing of where they differ.
    public static func == (one: Secret, other: Secret) -> Bool {
        one.matches(other.text)
    }

    /// Compares with a text from outside, in a time that depends on the lengths alone.
    public func matches(_ other: String) -> Bool {
        let ours = Array(text.utf8)
        let theirs = Array(other.utf8)
        var difference = ours.count ^ theirs.count
        for position in theirs.indices {
            let mine = ours.isEmpty ? 0 : ours[position % ours.count]
            difference |= Int(mine ^ theirs[position])
        }
        return difference == 0
    }
}
