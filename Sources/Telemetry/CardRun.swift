/// Finds card numbers in bytes: digits alone, or in groups with one space or dash between them.
enum CardRun {
    static let shortest = 13
    static let longest = 19

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

    /// Behind the digits that begin at `at`.
    static func afterDigits(_ bytes: [UInt8], _ at: Int) -> Int {
        bytes[at...].firstIndex { !isDigit($0) } ?? bytes.count
    }

    /// Where a card number that begins at `at` ends; nil if none does.
    static func end(_ bytes: [UInt8], _ at: Int) -> Int? {
        guard isDigit(bytes[at]), at == 0 || !isDigit(bytes[at - 1]) else { return nil }
        var digits: [UInt8] = []
        var next = at
        var end: Int?
        while next < bytes.count, digits.count <= longest {
            if isDigit(bytes[next]) {
                digits.append(bytes[next] - 0x30)
                next += 1
                let isLast = next == bytes.count || !isDigit(bytes[next])
                if isLast, isCard(digits) { end = next }
            } else if bytes[next] == 0x20 || bytes[next] == 0x2D, next + 1 < bytes.count, isDigit(bytes[next + 1]) {
                next += 1
            } else {
                break
            }
        }
        return end
    }

    /// Length, an issuer's beginning (2 to 6: ISO/IEC 7812), and the check digit.
    static func isCard(_ digits: [UInt8]) -> Bool {
        guard (shortest...longest).contains(digits.count), let first = digits.first, (2...6).contains(first) else {
            return false
        }
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let doubled = Int(digit) * (place % 2 == 1 ? 2 : 1)
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return sum % 10 == 0
    }
}
