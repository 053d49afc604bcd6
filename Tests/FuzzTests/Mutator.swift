import TestSupport

/// Breaks good inputs at random, the same way for the same seed: bytes, pieces of the input itself, pieces of other
/// inputs, and words that readers trip over.
struct Mutator: RandomNumberGenerator {
    private var random: SeededGenerator
    private let corpus: [[UInt8]]

    init(_ corpus: [String], seed: UInt64) {
        self.corpus = corpus.map { Array($0.utf8) }
        random = SeededGenerator(seed: seed)
    }

    /// The next input.
    mutating func input() -> [UInt8] {
        var bytes = corpus.randomElement(using: &self) ?? []
        for _ in 0..<Int.random(in: 0...4, using: &self) { damage(&bytes) }
        return bytes
    }

    /// The next number.
    mutating func next() -> UInt64 { random.next() }

    private static let words = [
        "null", "true", "-0", "1e400", "9223372036854775808", "-9223372036854775809", "1999.0", "{", "}", "[", "]", ",",
        ":", "\"", "\\", "\\u0000", "\\ud800", "\u{0}", "\r\n", "\n", " ", "%", "%00", "%zz", "&", "=", "+", "..", "/",
        "\u{FEFF}", "\u{202E}", "\u{301}", "é", "😀", "4242424242424242", "4242 4242 4242 4242", "tok_visa", "sk_test_1",
        "0", "-1", "00", ";", "#", "?", "@", "::1", "65536", "1h", "ms",
    ].map { Array($0.utf8) }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let at = Int.random(in: 0...bytes.count, using: &self)
        let end = min(bytes.count, at + Int.random(in: 1...16, using: &self))
        switch Int.random(in: 0..<9, using: &self) {
        case 0 where at < bytes.count: bytes[at] = UInt8.random(in: .min ... .max, using: &self)
        case 1 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 2: bytes.removeSubrange(at..<end)
        case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 4: bytes.removeSubrange(at...)
        case 5:
            let other = corpus.randomElement(using: &self) ?? []
            bytes.insert(contentsOf: other.suffix(Int.random(in: 0...other.count, using: &self)), at: at)
        case 6: bytes.insert(contentsOf: repeatElement(bytes.last ?? 0x5B, count: 300), at: at)
        default: bytes.insert(contentsOf: Self.words.randomElement(using: &self) ?? [], at: at)
        }
    }
}
