/// A string inside the bytes of its document: a member's name, or a value read with `word()`. It is compared in place;
/// only `text` allocates.
public struct JSONName: Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    private let escaped: Bool
    /// How long it stands in its document; -1 with escapes in it, so that no plain text has its length.
    @usableFromInline let plainLength: Int

    init(bytes: [UInt8], start: Int, end: Int, escaped: Bool) {
        self.bytes = bytes
        self.start = start
        self.end = end
        self.escaped = escaped
        plainLength = escaped ? -1 : end - start
    }

    /// Whether it is this text, after its escapes are resolved.
    ///
    /// A reader asks this of every name it knows, so what the length alone decides costs no call.
    @inlinable
    public func matches(_ name: StaticString) -> Bool {
        plainLength == name.utf8CodeUnitCount ? equals(name) : plainLength < 0 && equalsUnescaped(name)
    }

    @usableFromInline
    func equalsUnescaped(_ name: StaticString) -> Bool { text == name.description }

    @usableFromInline
    func equals(_ name: StaticString) -> Bool {
        let theirs = name.utf8Start
        let ours = bytes.span
        for offset in 0..<end - start where ours[start + offset] != theirs[offset] { return false }
        return true
    }

    /// Whether it begins with this text, after its escapes are resolved.
    public func begins(with prefix: StaticString) -> Bool {
        if escaped { return text.utf8.starts(with: prefix.description.utf8) }
        guard end - start >= prefix.utf8CodeUnitCount else { return false }
        let theirs = prefix.utf8Start
        let ours = bytes.span
        for offset in 0..<prefix.utf8CodeUnitCount where ours[start + offset] != theirs[offset] { return false }
        return true
    }

    /// The characters, with escapes resolved.
    public var text: String {
        guard escaped else { return String(decoding: bytes[start..<end], as: UTF8.self) }
        return JSONUnescape.text(bytes.span, start, end)
    }

    /// The same as `text`.
    public var description: String { text }
}
