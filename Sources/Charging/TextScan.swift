/// What one pass over a text tells, so that the costlier questions are asked only of the few texts that need them.
struct TextScan {
    /// Unicode scalars, which is what a limit of characters counts.
    private(set) var scalars = 0
    /// ASCII digits; below 13 there is no card number.
    private(set) var digits = 0
    /// An underscore; without one there is no key and no token.
    private(set) var hasUnderscore = false
    /// Line feed, carriage return or tab.
    private(set) var hasBreak = false
    /// Another control character: NUL to U+001F, or DEL.
    private(set) var hasControl = false

    init(_ text: String) {
        for byte in text.utf8 {
            if byte & 0xC0 != 0x80 { scalars += 1 }
            if byte < 0x20 {
                if byte == 0x0A || byte == 0x0D || byte == 0x09 { hasBreak = true } else { hasControl = true }
            } else if CardNumbers.isDigit(byte) {
                digits += 1
            } else if byte == UInt8(ascii: "_") {
                hasUnderscore = true
            } else if byte == 0x7F {
                hasControl = true
            }
        }
    }
}
