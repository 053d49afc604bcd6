/// Which first digits and lengths belong to card numbers that somebody issues, and the check digit that all of them
/// carry.
enum CardIssuers {
    private struct Span {
        var prefixes: ClosedRange<Int>
        /// How many digits the prefixes have.
        var width: Int
        var lengths: ClosedRange<Int>
    }

    // By network, from their public number ranges; 12-digit Maestro numbers are left out, being no longer issued.
    private static let spans: [Span] = [
        Span(prefixes: 4...4, width: 1, lengths: 13...19),  // Visa: 13, 16, 19
        Span(prefixes: 51...55, width: 2, lengths: 16...16),  // Mastercard
        Span(prefixes: 2221...2720, width: 4, lengths: 16...16),  // Mastercard
        Span(prefixes: 34...34, width: 2, lengths: 15...15),  // American Express
        Span(prefixes: 37...37, width: 2, lengths: 15...15),
        Span(prefixes: 300...305, width: 3, lengths: 14...19),  // Diners Club
        Span(prefixes: 3095...3095, width: 4, lengths: 14...19),
        Span(prefixes: 36...36, width: 2, lengths: 14...19),
        Span(prefixes: 38...39, width: 2, lengths: 14...19),
        Span(prefixes: 3528...3589, width: 4, lengths: 16...19),  // JCB
        Span(prefixes: 60...60, width: 2, lengths: 16...19),  // Discover, RuPay, Hipercard
        Span(prefixes: 644...649, width: 3, lengths: 16...19),  // Discover
        Span(prefixes: 65...65, width: 2, lengths: 16...19),  // Discover, RuPay, Verve
        Span(prefixes: 62...62, width: 2, lengths: 16...19),  // UnionPay
        Span(prefixes: 636...636, width: 3, lengths: 16...19),  // InterPayment, Elo
        Span(prefixes: 5018...5018, width: 4, lengths: 13...19),  // Maestro
        Span(prefixes: 5020...5020, width: 4, lengths: 13...19),
        Span(prefixes: 5038...5038, width: 4, lengths: 13...19),
        Span(prefixes: 5893...5893, width: 4, lengths: 13...19),
        Span(prefixes: 6304...6304, width: 4, lengths: 13...19),
        Span(prefixes: 6759...6763, width: 4, lengths: 13...19),
        Span(prefixes: 504...509, width: 3, lengths: 16...19),  // Elo, Verve, RuPay
        Span(prefixes: 2200...2204, width: 4, lengths: 16...19),  // Mir
        Span(prefixes: 9792...9792, width: 4, lengths: 16...16),  // Troy
    ]

    /// Whether these digits (values 0 to 9) are a card number: prefix, length and check digit together.
    static func isCardNumber(_ digits: ArraySlice<UInt8>) -> Bool {
        guard (13...19).contains(digits.count), passesLuhn(digits) else { return false }
        let first = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        return spans.contains { span in
            guard span.lengths.contains(digits.count) else { return false }
            if span.width == 1, ![13, 16, 19].contains(digits.count) { return false }
            return span.prefixes.contains(shortened(first, to: span.width))
        }
    }

    private static func shortened(_ first: Int, to width: Int) -> Int {
        switch width {
        case 1: first / 1000
        case 2: first / 100
        case 3: first / 10
        default: first
        }
    }

    private static func passesLuhn(_ digits: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        var doubles = false
        for digit in digits.reversed() {
            var value = Int(digit)
            if doubles {
                value *= 2
                if value > 9 { value -= 9 }
            }
            sum += value
            doubles.toggle()
        }
        return sum.isMultiple(of: 10)
    }
}
