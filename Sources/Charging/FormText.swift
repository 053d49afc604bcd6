/// Text of `application/x-www-form-urlencoded`.
enum FormText {
    /// The text with `+` and `%XX` resolved; nil for a broken escape, and for what is not UTF-8.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            switch bytes[at] {
            case UInt8(ascii: "+"): plain.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard at + 2 < bytes.endIndex, let high = hexValue(bytes[at + 1]), let low = hexValue(bytes[at + 2])
                else {
                    return nil
                }
                plain.append(high << 4 | low)
                at += 2
            case let byte: plain.append(byte)
            }
            at += 1
        }
        return String(validating: plain, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
