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
        stands(name)
    }

    /// Whether this text stands at its start; it must not be longer. Eight bytes at a time, the last ones again where
    /// they are fewer.
    private func stands(_ name: StaticString) -> Bool {
        let theirs = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let ours = bytes.span.bytes
        var at = 0
        while at + 8 <= theirs.count {
            guard word(ours, at) == theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self) else { return false }
            at += 8
        }
        guard at < theirs.count else { return true }
        if theirs.count >= 8 {
            at = theirs.count - 8
            return word(ours, at) == theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        }
        while at < theirs.count {
            if ours.unsafeLoad(fromByteOffset: start + at, as: UInt8.self) != theirs[at] { return false }
            at += 1
        }
        return true
    }

    @inline(__always)
    private func word(_ ours: RawSpan, _ at: Int) -> UInt64 {
        ours.unsafeLoadUnaligned(fromByteOffset: start + at, as: UInt64.self)
    }

    /// Whether it begins with this text, after its escapes are resolved.
    public func begins(with prefix: StaticString) -> Bool {
        if escaped { return text.utf8.starts(with: prefix.description.utf8) }
        return end - start >= prefix.utf8CodeUnitCount && stands(prefix)
    }

    /// The characters, with escapes resolved.
    public var text: String {
        guard escaped else { return String(decoding: bytes[start..<end], as: UTF8.self) }
        return JSONUnescape.text(bytes.span, start, end)
    }

    /// The same as `text`.
    public var description: String { text }
}
