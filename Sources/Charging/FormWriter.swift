/// Writes `application/x-www-form-urlencoded` as Stripe's own libraries do: brackets of nesting literal, a space as `+`, everything else
/// outside `A-Z a-z 0-9 . _ ~ -` as `%XX` of its UTF-8.
struct FormWriter {
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
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            default:
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
