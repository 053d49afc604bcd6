/// A string as JSON writes it.
enum JSONEscape {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(JSONScanner.quote)
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped($0, to: &bytes) }
        if done == nil { Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0, to: &bytes) } }
        bytes.append(JSONScanner.quote)
    }

    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var copied = 0
        var at = 0
        while at < text.count {
            let byte = text[at]
            var length = 1
            if byte == 0xE2, isLineSeparator(text, at) {
                length = 3
            } else if byte >= 0x20, byte != JSONScanner.quote, byte != JSONScanner.backslash {
                at += 1
                continue
            }
            bytes.append(contentsOf: text[copied..<at])
            appendEscape(of: length == 3 ? text[at + 2] : byte, isSeparator: length == 3, to: &bytes)
            at += length
            copied = at
        }
        bytes.append(contentsOf: text[copied..<at])
    }

    /// U+2028 or U+2029: valid in JSON, a line's end in older JavaScript.
    private static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        at + 2 < text.count && text[at + 1] == 0x80 && (text[at + 2] == 0xA8 || text[at + 2] == 0xA9)
    }

    private static func appendEscape(of byte: UInt8, isSeparator: Bool, to bytes: inout [UInt8]) {
        bytes.append(JSONScanner.backslash)
        if isSeparator {
            bytes.append(contentsOf: (byte == 0xA8 ? "u2028" : "u2029").utf8)
            return
        }
        switch byte {
        case JSONScanner.quote, JSONScanner.backslash: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hex(byte >> 4))
            bytes.append(hex(byte & 0x0F))
        }
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
