extension JSONReader {
    /// A string, with its escapes resolved.
    ///
    /// - Throws: `wrongKind`, or what is wrong with the string.
    public mutating func string() throws(JSONError) -> String {
        try word().text
    }

    /// A string as a view into the document, to be compared without allocating: for words such as a status.
    ///
    /// - Throws: `wrongKind`, or what is wrong with the string.
    public mutating func word() throws(JSONError) -> JSONName {
        guard try peek() == .string else { throw JSONError(.wrongKind, at: at) }
        let string = try JSONScanner.string(bytes.span, at + 1, allowsNUL: limits.allowsNUL)
        let word = JSONName(bytes: bytes, start: at + 1, end: string.end - 1, escaped: string.escaped)
        passed(string.end)
        return word
    }

    /// A plain integer: `1999.0`, `2e3`, `-0` and what does not fit 64 bits are refused, because each of them in an
    /// amount is a caller's mistake that would move money.
    ///
    /// - Throws: `wrongKind`, `notAnInteger`, `numberTooBig`, or what is wrong with the number.
    public mutating func integer() throws(JSONError) -> Int64 {
        guard try peek() == .number else { throw JSONError(.wrongKind, at: at) }
        let number = try JSONScanner.number(bytes.span, at, longest: limits.numberLength)
        guard number.isInteger else { throw JSONError(.notAnInteger, at: at) }
        let isNegative = bytes[at] == UInt8(ascii: "-")
        var value: Int64 = 0
        // Built up below zero, where one value more fits than above it.
        for position in (isNegative ? at + 1 : at)..<number.end {
            let digit = Int64(bytes[position] - UInt8(ascii: "0"))
            let (tens, over) = value.multipliedReportingOverflow(by: 10)
            let (next, under) = tens.subtractingReportingOverflow(digit)
            guard !over, !under else { throw JSONError(.numberTooBig, at: at) }
            value = next
        }
        if isNegative {
            guard value != 0 else { throw JSONError(.notAnInteger, at: at) }
        } else {
            guard value != .min else { throw JSONError(.numberTooBig, at: at) }
            value = -value
        }
        passed(number.end)
        return value
    }

    /// Any number as the nearest Double. Never for money.
    ///
    /// - Throws: `wrongKind`, `numberTooBig`, or what is wrong with the number.
    public mutating func double() throws(JSONError) -> Double {
        guard try peek() == .number else { throw JSONError(.wrongKind, at: at) }
        let number = try JSONScanner.number(bytes.span, at, longest: limits.numberLength)
        let text = String(decoding: bytes[at..<number.end], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw JSONError(.numberTooBig, at: at) }
        passed(number.end)
        return value
    }

    /// `true` or `false`.
    ///
    /// - Throws: `wrongKind`, or `unexpectedByte` for a word that only begins like one of them.
    public mutating func bool() throws(JSONError) -> Bool {
        guard try peek() == .bool else { throw JSONError(.wrongKind, at: at) }
        let isTrue = bytes[at] == UInt8(ascii: "t")
        passed(try JSONScanner.literal(bytes.span, at, isTrue ? "true" : "false"))
        return isTrue
    }

    /// Passes a `null` if one comes next; false, with nothing read, for any other value.
    ///
    /// - Throws: `unexpectedByte` for a word that only begins like it.
    public mutating func null() throws(JSONError) -> Bool {
        guard try peek() == .null else { return false }
        passed(try JSONScanner.literal(bytes.span, at, "null"))
        return true
    }

    private mutating func passed(_ end: Int) {
        at = end
        state = .afterValue
    }
}
