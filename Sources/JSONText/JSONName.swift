/// A string inside the bytes of its document: a member's name, or a value read with `word()`. It is compared in place;
/// only `text` allocates.
public struct JSONName: Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    private let escaped: Bool

    init(bytes: [UInt8], start: Int, end: Int, escaped: Bool) {
        self.bytes = bytes
        self.start = start
        self.end = end
        self.escaped = escaped
    }

    /// Whether it is this text, after its escapes are resolved.
    public func matches(_ name: StaticString) -> Bool {
        if escaped { return text == name.description }
        guard end - start == name.utf8CodeUnitCount else { return false }
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
