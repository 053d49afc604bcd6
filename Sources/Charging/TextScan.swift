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
        var trailing = 0
        _ = text.eachByteUntil { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case 0x09, 0x0A, 0x0D: hasBreak = true
            case 0..<0x20, 0x7F: hasControl = true
            case UInt8(ascii: "_"): hasUnderscore = true
            case 0x80..<0xC0: trailing += 1
            default: break
            }
            return false
        }
        scalars = text.utf8.count - trailing
    }
}
