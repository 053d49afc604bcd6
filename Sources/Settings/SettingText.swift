/// Reads one setting's text. Each function says in its error what would be right, and never repeats a secret.
enum SettingText {
    static func timeSpan(
        _ text: String, from shortest: TimeSpan = .seconds(0), to longest: TimeSpan = .hours(24)
    ) throws(ValueProblem) -> TimeSpan {
        guard let span = TimeSpan(text) else {
            throw ValueProblem("\(quoted(text)) is not a length of time (a whole number and ms, s, m or h)")
        }
        guard span >= shortest, span <= longest else {
            throw ValueProblem("\(quoted(text)) is not from \(shortest) to \(longest)")
        }
        return span
    }

    static func count(_ text: String, _ range: ClosedRange<Int>) throws(ValueProblem) -> Int {
        guard text.utf8.allSatisfy(isDigit), let number = Int(text), range.contains(number) else {
            throw ValueProblem("\(quoted(text)) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func rate(_ text: String) throws(ValueProblem) -> Double {
        let plain = text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
        guard plain, let rate = Double(text), rate.isFinite, rate >= 0, rate <= 1_000_000 else {
            throw ValueProblem("\(quoted(text)) is not a number from 0 to 1000000 (0 = no limit)")
        }
        return rate
    }

    static func flag(_ text: String) throws(ValueProblem) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw ValueProblem("\(quoted(text)) is neither true nor false")
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, _ type: Choice.Type = Choice.self
    ) throws(ValueProblem) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue)
            let hint = NearestName.of(text, among: known).map { " (did you mean \($0)?)" } ?? ""
            throw ValueProblem("\(quoted(text)) is not one of \(known.joined(separator: ", "))\(hint)")
        }
        return choice
    }

    static func address(_ text: String) throws(ValueProblem) -> HostPort {
        guard let address = HostPort(text) else {
            throw ValueProblem("\(quoted(text)) is not address:port (IPv4, or IPv6 in brackets; port 0 for a free one)")
        }
        return address
    }

    /// The entries of a comma-separated list, without the space around them; an empty entry is a slip.
    static func list(_ text: String) throws(ValueProblem) -> [String] {
        let entries = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        guard !entries.contains("") else { throw ValueProblem("has an empty entry between its commas") }
        return entries
    }

    static func url(_ text: String) throws(ValueProblem) -> ServiceURL {
        // A key written before the host, as curl and browsers take it, must not be repeated.
        guard !text.contains("@") else { throw ValueProblem("holds a user or a key: it is a base URL, https://host") }
        guard let url = ServiceURL(text) else {
            throw ValueProblem("\(quoted(text)) is not a base URL (https://host, no user, no query)")
        }
        guard url.isSecure || url.isLoopback else {
            throw ValueProblem("\(quoted(text)) would send the key in the clear: plain http only for this machine")
        }
        return url
    }

    /// A value in quotes, shortened, with control characters escaped: it goes to a log or a terminal.
    static func quoted(_ text: String) -> String {
        // A key or a password in the wrong setting must not be told by its fault.
        for secret in ["sk_", "rk_", "pk_", "whsec_", "@"] where text.contains(secret) { return Secret.mask }
        let short =
            text.unicodeScalars.count > 60
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…" : text
        return short.debugDescription
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func trimmed(_ text: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[first...last])
    }
}
