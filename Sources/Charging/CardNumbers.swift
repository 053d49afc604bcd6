/// Finds and masks card numbers in text that should hold none.
///
/// Two rules. Where careless code puts a card's own number (`token`), any 13 digits in a row are one, spaces and dashes
/// left aside. Everywhere else issuer prefix, length and check digit must fit together, so that order numbers and times
/// pass.
public enum CardNumbers {
    /// The first rule: whether `text` has 13 or more digits in a row.
    public static func holdsLongDigitRun(_ text: String) -> Bool {
        holdsDigits(13, text) && !longRuns(in: Array(text.utf8)).isEmpty
    }

    /// The second rule: whether `text` holds a card number.
    public static func isPresent(in text: String) -> Bool {
        holdsDigits(13, text) && !ranges(in: Array(text.utf8)).isEmpty
    }

    /// Whether there are so many digits anywhere: the cheap question before the others.
    private static func holdsDigits(_ wanted: Int, _ text: String) -> Bool {
        guard text.utf8.count >= wanted else { return false }
        var digits = 0
        return text.eachByteUntil { byte in
            if isDigit(byte) { digits += 1 }
            return digits == wanted
        }
    }

    /// The bytes with every digit of every long run made `*`, and of every security code: a body that is known to carry
    /// card data, as it may be kept.
    public static func masked(_ bytes: [UInt8]) -> [UInt8] {
        var masked = bytes
        for range in longRuns(in: bytes) {
            for place in range where isDigit(bytes[place]) { masked[place] = UInt8(ascii: "*") }
        }
        maskSecurityCodes(&masked)
        return masked
    }

    /// Where card numbers stand, by the second rule.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        eachCluster(of: bytes) { groups in
            var first = 0
            while first < groups.count {
                if let last = lastGroup(of: groups, from: first, in: bytes) {
                    found.append(groups[first].lowerBound..<groups[last].upperBound)
                    first = last + 1
                } else {
                    first += 1
                }
            }
        }
        return found
    }

    /// Where 13 digits or more stand in a row, by the first rule.
    private static func longRuns(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        eachCluster(of: bytes) { groups in
            guard let first = groups.first, let last = groups.last else { return }
            if groups.reduce(0, { $0 + $1.count }) >= 13 { found.append(first.lowerBound..<last.upperBound) }
        }
        return found
    }

    /// The last of the groups of digits that make a card number together with the group `first`.
    private static func lastGroup(of groups: [Range<Int>], from first: Int, in bytes: [UInt8]) -> Int? {
        var digits: [UInt8] = []
        for last in first..<groups.count {
            guard digits.count + groups[last].count <= 19 else { return nil }
            digits += bytes[groups[last]].map { $0 - UInt8(ascii: "0") }
            guard digits.count >= 13, CardIssuers.isCardNumber(digits[...]) else { continue }
            if last == first ? !isInsideHex(groups[first], bytes) : isWritten(groups[first...last], bytes) {
                return last
            }
        }
        return nil
    }

    /// Whether the groups look like a card number as people write it (4-4-4-4, 4-6-5, 6-13, 8-8), standing by itself:
    /// the digits of a UUID (8-4-4-4-12) do not.
    private static func isWritten(_ groups: ArraySlice<Range<Int>>, _ bytes: [UInt8]) -> Bool {
        guard let first = groups.first, let last = groups.last else { return false }
        if first.lowerBound > 0, isLetter(bytes[first.lowerBound - 1]) { return false }
        if last.upperBound < bytes.count, isLetter(bytes[last.upperBound]) { return false }
        let lengths = groups.map(\.count)
        return lengths.allSatisfy { $0 <= 6 } || lengths == [6, 13] || lengths == [8, 8]
    }

    /// Whether the digits are a piece of a longer hexadecimal word, such as a hash: about one hash in a thousand holds
    /// something that looks like a card number.
    private static func isInsideHex(_ group: Range<Int>, _ bytes: [UInt8]) -> Bool {
        var start = group.lowerBound
        while start > 0, isLetter(bytes[start - 1]) || isDigit(bytes[start - 1]) { start -= 1 }
        var end = group.upperBound
        while end < bytes.count, isLetter(bytes[end]) || isDigit(bytes[end]) { end += 1 }
        let letters = bytes[start..<end].filter(isLetter)
        return !letters.isEmpty && letters.allSatisfy { $0 | 0x20 <= UInt8(ascii: "f") }
    }

    /// Calls back with the groups of digits that only spaces, dashes and dots part, at most three between two groups.
    private static func eachCluster(of bytes: [UInt8], _ visit: ([Range<Int>]) -> Void) {
        var groups: [Range<Int>] = []
        var at = 0
        while at < bytes.count {
            guard isDigit(bytes[at]) else {
                at += 1
                continue
            }
            let start = at
            while at < bytes.count, isDigit(bytes[at]) { at += 1 }
            groups.append(start..<at)
            var next = at
            for _ in 0..<3 { next = afterSeparator(bytes, next) }
            if next < bytes.count, isDigit(bytes[next]) {
                at = next
            } else {
                visit(groups)
                groups.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Passes one space, dash or dot, of ASCII or of typography.
    private static func afterSeparator(_ bytes: [UInt8], _ at: Int) -> Int {
        guard at < bytes.count else { return at }
        switch bytes[at] {
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "\t"): return at + 1
        case 0xC2 where at + 1 < bytes.count && bytes[at + 1] == 0xA0: return at + 2  // no-break space
        case 0xE2 where at + 2 < bytes.count && bytes[at + 1] == 0x80:
            // U+2000 to U+2015 are spaces and dashes, U+202F the narrow no-break space.
            return (0x80...0x95).contains(bytes[at + 2]) || bytes[at + 2] == 0xAF ? at + 3 : at
        default: return at
        }
    }

    /// Masks the digits that follow `cvc` or `cvv` at once: `"cvc": "123"`, `card[cvc]=123`.
    private static func maskSecurityCodes(_ bytes: inout [UInt8]) {
        guard bytes.count > 3 else { return }
        for at in 0..<bytes.count - 3 {
            let isCode =
                bytes[at] | 0x20 == UInt8(ascii: "c") && bytes[at + 1] | 0x20 == UInt8(ascii: "v")
                && (bytes[at + 2] | 0x20 == UInt8(ascii: "c") || bytes[at + 2] | 0x20 == UInt8(ascii: "v"))
            guard isCode else { continue }
            // As far as a closing quote, bracket, equals sign, colon and spaces may reach, and the four digits behind
            // them.
            for place in at + 3..<min(at + 19, bytes.count) {
                if isDigit(bytes[place]) { bytes[place] = UInt8(ascii: "*") }
                if bytes[place] == UInt8(ascii: ",") || bytes[place] == UInt8(ascii: "&") { break }
            }
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}
