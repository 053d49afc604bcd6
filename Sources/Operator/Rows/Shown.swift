internal import Charging

/// Text from outside as it may be shown to a person: nothing secret, nothing that moves a terminal's cursor.
enum Shown {
    /// A short word, such as a column's name or a lane; what is not harmless is not repeated.
    static func word(_ text: String) -> String {
        guard (1...60).contains(text.utf8.count), !text.unicodeScalars.contains(where: isControl),
            !CardNumbers.holdsLongDigitRun(text), Scrubber.scrub(text) == text
        else { return text.isEmpty ? "(empty)" : "(a name that is not shown)" }
        return text
    }

    /// Text of any length on one line: keys, tokens and card numbers masked, control characters escaped.
    static func line(_ text: String) -> String {
        escaped(Scrubber.scrub(text), keepsBreaks: false)
    }

    /// A message's body: every long run of digits masked too, line breaks kept.
    static func body(_ bytes: [UInt8]) -> String {
        escaped(Scrubber.scrub(String(decoding: CardNumbers.masked(bytes), as: UTF8.self)), keepsBreaks: true)
    }

    private static func escaped(_ text: String, keepsBreaks: Bool) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var out = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar), !(keepsBreaks && (scalar == "\n" || scalar == "\t")) {
                out += scalar.escaped(asASCII: true)
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// C0 and C1 controls, and the marks that turn the direction of text around (U+202A to U+202E, U+2066 to U+2069).
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }
}
