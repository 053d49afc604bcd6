/// A set of ASCII characters, asked with one shift: the hot path looks at every byte of a request.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// `A-Z a-z 0-9` and `others`, which are ASCII.
    static func lettersDigits(and others: StaticString) -> ByteSet {
        var set = ByteSet(others)
        for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { set.insert(byte) }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") {
            set.insert(byte)
            set.insert(byte | 0x20)
        }
        return set
    }

    /// The characters of `text`, which are ASCII.
    init(_ text: StaticString) {
        for place in 0..<text.utf8CodeUnitCount { insert(text.utf8Start[place]) }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let half = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && half >> UInt64(byte & 0x3F) & 1 != 0
    }

    /// Whether all bytes of `text` are in the set.
    func holds(_ text: String) -> Bool { !text.eachByteUntil { !contains($0) } }

    /// Whether some byte of `text` is in the set.
    func meets(_ text: String) -> Bool { text.eachByteUntil { contains($0) } }

    private mutating func insert(_ byte: UInt8) {
        if byte & 0x40 == 0 { low |= 1 << UInt64(byte & 0x3F) } else { high |= 1 << UInt64(byte & 0x3F) }
    }
}

extension String {
    /// Whether `isFound` is true for some byte of the UTF-8. Bytes are read as an array where the string is one, as all
    /// of ours are.
    @inline(__always)
    func eachByteUntil(_ isFound: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where isFound(byte) { return true }
            return false
        } ?? utf8.contains(where: isFound)
    }
}
