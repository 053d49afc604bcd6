/// The headers of a request that mean something here, read and checked.
enum RequestHeaders {
    /// Seconds of `Prefer: wait=N` (RFC 7240); nil where it is absent or no number: a preference that is not understood
    /// is ignored.
    static func wait(prefer: String?) -> Int64? {
        guard let prefer else { return nil }
        for preference in prefer.split(separator: ",") {
            // Parameters after a semicolon belong to the preference; wait has none that matter.
            let words = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map { trimmed($0) }
            guard words.count == 2, words[0].lowercased() == "wait" else { continue }
            let isQuoted = words[1].hasPrefix("\"") && words[1].hasSuffix("\"")
            let number = isQuoted ? words[1].dropFirst().dropLast() : words[1]
            guard number.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return nil }
            return Int64(number)
        }
        return nil
    }

    /// The text of `Idempotency-Key`, which the draft standard writes as a quoted string and most clients bare; nil
    /// where it is absent.
    ///
    /// - Throws: for a key that is empty, too long or no text: a client that sends one expects to be protected by it.
    static func idempotencyKey(_ value: String?) throws(Problem) -> String? {
        guard let value else { return nil }
        var key = String(trimmed(value[...]))
        if key.utf8.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") {
            var text = ""
            var isEscaped = false
            for character in key.dropFirst().dropLast() {
                if character == "\\", !isEscaped {
                    isEscaped = true
                } else {
                    text.append(character)
                    isEscaped = false
                }
            }
            key = text
        }
        guard !key.isEmpty, key.utf8.count <= 255, key.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.invalidHeader, "Idempotency-Key must have 1 to 255 printable ASCII characters")
        }
        return key
    }

    /// The caller's `X-Request-Id`, if it is fit to be repeated in headers and logs.
    static func requestID(_ value: String?) -> String? {
        guard let value, (1...128).contains(value.utf8.count) else { return nil }
        let isFit = value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_.:+/=".utf8.contains(byte)
            }
        }
        return isFit ? value : nil
    }

    /// A W3C `traceparent`, version 00 or later, with ids that are not all zero; nil for anything else.
    static func traceparent(_ value: String?) -> String? {
        guard let value, value.utf8.count >= 55, value.utf8.count <= 128 else { return nil }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[1].utf8.count == 32, parts[2].utf8.count == 16,
            parts[3].utf8.count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            parts[..<4].allSatisfy({ $0.utf8.allSatisfy(isLowerHex) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        return value
    }

    /// How a body is to be read, by its `Content-Type`.
    enum Body { case json, form }

    /// The type without its parameters; nil for one that is not read here, and for none.
    static func body(contentType: String?) -> Body? {
        guard let contentType else { return nil }
        switch trimmed(contentType.prefix { $0 != ";" }).lowercased() {
        case "application/json": return .json
        case "application/x-www-form-urlencoded": return .form
        default: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || byte &- UInt8(ascii: "a") <= 5
    }
}
