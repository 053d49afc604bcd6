/// A small generator with a seed (SplitMix64): a failing input can be made again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Makes documents: valid ones in every spelling that JSON allows, and damaged ones.
struct JSONTextMaker {
    var random: Seeded

    init(seed: UInt64) { random = Seeded(seed) }

    private static let spaces = ["", "", "", " ", "\n", "\t", "\r\n", "  "]
    private static let names = ["id", "amount", "a", "", "metadata", "\\u0061", "\\ud83d\\ude00", "é", "x_1"]
    private static let pieces = [
        "plain", "é", "€", "😀", "\u{7F}", "\u{2028}", "/", "\\/", "\\\"", "\\\\", "\\n", "\\b", "\\u0000", "\\u00e9",
        "\\u20AC", "\\ud83d\\ude00", "\\uFFFF", " ", "{", "]", ",", ":", "tok_visa",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "1999", "1999.0", "2e3", "2E+3", "19.99", "-0.5", "1e-7", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1.7976931348623157e308", "5e-324",
        "123456789012345678", "0.1000", "1e400", "-1e400",
    ]
    /// Bytes between which most of a JSON reader's decisions lie.
    private static let alphabet =
        Array("{}[]\",:\\/0123456789-+.eEtrufalsn \n\t\u{1}\u{7F}éd8".utf8) + [0x00, 0x80, 0xC0, 0xED, 0xFF]

    mutating func document() -> [UInt8] {
        Array((space() + value(depth: random.below(5)) + space()).utf8)
    }

    private mutating func space() -> String { random.pick(Self.spaces) }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth > 0 ? 9 : 6) {
        case 0: return "null"
        case 1: return random.pick(["true", "false"])
        case 2, 3: return random.pick(Self.numbers)
        case 4, 5: return "\"" + string() + "\""
        case 6:
            let elements = (0..<random.below(4)).map { _ in space() + value(depth: depth - 1) + space() }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        default:
            let members = (0..<random.below(4)).map { _ in
                space() + "\"" + random.pick(Self.names) + "\"" + space() + ":" + space() + value(depth: depth - 1)
                    + space()
            }
            return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
        }
    }

    private mutating func string() -> String {
        (0..<random.below(4)).map { _ in random.pick(Self.pieces) }.joined()
    }

    /// A valid document with one to three wounds.
    mutating func damaged() -> [UInt8] {
        var bytes = document()
        for _ in 0...random.below(3) {
            let at = random.below(bytes.count + 1)
            switch random.below(7) {
            case 0: bytes.insert(random.pick(Self.alphabet), at: at)
            case 1: bytes.removeSubrange(at...)
            case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
            case _ where at == bytes.count: break
            case 3: bytes.remove(at: at)
            case 4: bytes[at] = random.pick(Self.alphabet)
            case 5:
                let closing = bytes.lastIndex { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") }
                bytes.insert(UInt8(ascii: ","), at: closing ?? at)
            default:
                let end = min(bytes.count, at + 1 + random.below(6))
                bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count))
            }
        }
        return bytes
    }

    /// Anything, mostly made of the bytes that mean something to a reader.
    mutating func noise() -> [UInt8] {
        let plain = random.below(8) == 0
        return (0..<random.below(14)).map { _ in
            plain ? UInt8(truncatingIfNeeded: random.next()) : random.pick(Self.alphabet)
        }
    }
}
