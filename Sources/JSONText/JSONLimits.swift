/// What a reader takes before it refuses: outside bytes must not decide how much work we do.
public struct JSONLimits: Sendable, Equatable {
    /// The deepest nesting any reader takes: the open containers are kept in the bits of one word.
    public static let deepest = 64

    /// Depth 64, 1 MiB, numbers of 64 characters, NUL taken as JSON does.
    public static let standard = JSONLimits()

    /// Most containers open at once; from 1 to `deepest`.
    public let depth: Int
    /// Most bytes in a whole document.
    public let bytes: Int
    /// Most characters in one number.
    public let numberLength: Int
    /// Whether `\u0000` may stand in a string. (A bare NUL byte is a control character and never may.)
    public let allowsNUL: Bool

    /// Limits for one reader; a depth outside 1...64 is brought into it.
    public init(
        depth: Int = deepest, bytes: Int = 1 << 20, numberLength: Int = 64, allowsNUL: Bool = true
    ) {
        self.depth = max(1, min(depth, Self.deepest))
        self.bytes = max(0, bytes)
        self.numberLength = max(1, numberLength)
        self.allowsNUL = allowsNUL
    }
}
