/// Finds card numbers in text that should hold none.
public enum CardNumbers {
    /// Whether `text` has 13 or more digits in a row, spaces and dashes between them left aside: the rule for fields where careless
    /// code puts a card number.
    public static func holdsLongDigitRun(_ text: String) -> Bool {
        var digits = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if digits == 13 { return true }
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."): break
            default: digits = 0
            }
        }
        return false
    }
}
