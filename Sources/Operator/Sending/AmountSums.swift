internal import Charging

/// What charges add up to, by currency: the first thing to look at before a file is sent.
struct AmountSums: Sendable, Equatable {
    private var sums: [String: (count: Int, amount: Int64)] = [:]

    /// Adds one charge.
    mutating func add(_ amount: Int64, _ currency: Currency) {
        var sum = sums[currency.code] ?? (0, 0)
        sum.count += 1
        let (total, over) = sum.amount.addingReportingOverflow(amount)
        sum.amount = over ? .max : total
        sums[currency.code] = sum
    }

    /// By currency, in the order of their codes.
    var sorted: [(currency: String, count: Int, amount: Int64)] {
        sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value.count, $0.value.amount) }
    }

    static func == (one: AmountSums, other: AmountSums) -> Bool {
        one.sorted.elementsEqual(other.sorted, by: ==)
    }
}

/// Amounts as people read them.
enum AmountText {
    /// `19.99 usd`; amounts are in minor units.
    static func text(_ amount: Int64, _ currency: Currency) -> String {
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count)) + digits
        let whole = grouped(padded.dropLast(currency.exponent))
        let sign = amount < 0 ? "-" : ""
        guard currency.exponent > 0 else { return "\(sign)\(whole) \(currency.code)" }
        return "\(sign)\(whole).\(padded.suffix(currency.exponent)) \(currency.code)"
    }

    /// `12,345`.
    static func grouped(_ digits: some StringProtocol) -> String {
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { out += "," }
            out.append(digit)
        }
        return out
    }

    /// `12,345`.
    static func grouped(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(String(number.magnitude))
    }
}
