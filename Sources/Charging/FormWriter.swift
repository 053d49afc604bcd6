/// Writes `application/x-www-form-urlencoded` as Stripe's own libraries do: brackets of nesting literal, a space as
/// `+`, everything else outside `A-Z a-z 0-9 . _ ~ -` as `%XX` of its UTF-8.
struct FormWriter {
    private static let literal = ByteSet.lettersDigits(and: "._~-")

    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// A parameter whose name stands in the source and needs no escape.
    mutating func add(_ name: StaticString, _ text: String) {
        begin(name)
        append(text)
    }

    /// A parameter `name[key]`, the key being from outside.
    mutating func add(_ name: StaticString, key: String, _ text: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        append(literal: name)
        bytes.append(UInt8(ascii: "["))
        append(key)
        bytes.append(UInt8(ascii: "]"))
        bytes.append(UInt8(ascii: "="))
        append(text)
    }

    mutating func add(_ name: StaticString, _ flag: Bool) {
        begin(name)
        append(literal: flag ? "true" : "false")
    }

    mutating func add(_ name: StaticString, _ number: Int64) {
        begin(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    /// A parameter whose value needs no escape.
    mutating func add(_ name: StaticString, bytes value: [UInt8]) {
        begin(name)
        bytes.append(contentsOf: value)
    }

    private mutating func begin(_ name: StaticString) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        append(literal: name)
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func append(literal: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) {
        let literal = FormWriter.literal
        let isPlain =
            text.utf8.withContiguousStorageIfAvailable { bytes in
                guard bytes.allSatisfy(literal.contains) else { return false }
                self.bytes.append(contentsOf: bytes)
                return true
            } ?? false
        guard !isPlain else { return }
        for byte in text.utf8 {
            if literal.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(FormWriter.hex(byte >> 4))
                bytes.append(FormWriter.hex(byte & 0xF))
            }
        }
    }

    private static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
