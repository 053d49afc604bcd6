/// A string as JSON writes it.
enum JSONEscape {
    /// Appends the text in quotes.
    static func append(_ text: String, to tail: inout ByteTail) {
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &tail) }
        if done == nil { Array(text.utf8).withUnsafeBufferPointer { append($0, to: &tail) } }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to tail: inout ByteTail) {
        // Most texts need no escape at all.
        guard firstSpecial(text, 0) < text.count else {
            return tail.append(most: text.count + 2) {
                $0.put(JSONScanner.quote).put(text).put(JSONScanner.quote)
            }
        }
        // `\u00XX` is the longest form of a byte.
        tail.append(most: 6 * text.count + 2) { start in
            var to = start.put(JSONScanner.quote)
            var at = 0
            while at < text.count {
                let special = firstSpecial(text, at)
                to = to.put(UnsafeBufferPointer(rebasing: text[at..<special]))
                guard special < text.count else { break }
                let isSeparator = text[special] == 0xE2
                to = putEscape(of: isSeparator ? text[special + 2] : text[special], isSeparator, at: to)
                at = special + (isSeparator ? 3 : 1)
            }
            return to.put(JSONScanner.quote)
        }
    }

    /// The next byte that cannot stand as it is.
    private static func firstSpecial(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < text.count {
            at = JSONScanner.afterPlain(text.span.bytes, at)
            guard at < text.count else { break }
            let byte = text[at]
            if byte < 0x20 || byte == JSONScanner.quote || byte == JSONScanner.backslash { break }
            if byte == 0xE2, isLineSeparator(text, at) { break }
            at += 1
        }
        return at
    }

    /// U+2028 or U+2029: valid in JSON, a line's end in older JavaScript.
    private static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        at + 2 < text.count && text[at + 1] == 0x80 && (text[at + 2] == 0xA8 || text[at + 2] == 0xA9)
    }

    private static func putEscape(
        of byte: UInt8, _ isSeparator: Bool, at start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if isSeparator { return start.put(byte == 0xA8 ? "\\u2028" : "\\u2029") }
        let at = start.put(JSONScanner.backslash)
        switch byte {
        case JSONScanner.quote, JSONScanner.backslash: return at.put(byte)
        case 0x08: return at.put(UInt8(ascii: "b"))
        case 0x09: return at.put(UInt8(ascii: "t"))
        case 0x0A: return at.put(UInt8(ascii: "n"))
        case 0x0C: return at.put(UInt8(ascii: "f"))
        case 0x0D: return at.put(UInt8(ascii: "r"))
        default: return at.put("u00").put(hex(byte >> 4)).put(hex(byte & 0x0F))
        }
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
