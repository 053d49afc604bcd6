/// Reads form text as Stripe takes it: brackets nest, `a[]` appends to a list, a name given twice keeps its last
/// value.
///
/// One pass of its own, because every charge comes through it: `HTTPForm` works on any collection and costs five
/// times as much.
enum FormParser {
    /// Far over what any call needs; a longer form is refused before work is spent on it.
    static let fieldsMax = 1_000

    /// Nil for text that is no form: a bad escape, not UTF-8, or too many fields.
    static func parse(_ text: [UInt8]) -> FormFields? {
        var form = FormFields()
        var appended: [String: Int] = [:]
        var name: String?
        var part: [UInt8] = []
        part.reserveCapacity(64)
        var at = 0
        var fields = 0
        while at <= text.count {
            let byte = at < text.count ? text[at] : UInt8(ascii: "&")
            at += 1
            switch byte {
            case UInt8(ascii: "&"):
                guard let decoded = String(validating: part, as: UTF8.self) else { return nil }
                if name != nil || !part.isEmpty {
                    fields += 1
                    guard fields <= fieldsMax else { return nil }
                    form.set(numbered(name ?? decoded, &appended), name == nil ? "" : decoded)
                }
                name = nil
                part.removeAll(keepingCapacity: true)
            case UInt8(ascii: "=") where name == nil:
                guard let decoded = String(validating: part, as: UTF8.self) else { return nil }
                name = decoded
                part.removeAll(keepingCapacity: true)
            case UInt8(ascii: "+"): part.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard at + 1 < text.count, let high = hexDigit(text[at]), let low = hexDigit(text[at + 1]) else {
                    return nil
                }
                part.append(high << 4 | low)
                at += 2
            default: part.append(byte)
            }
        }
        return form
    }

    /// `a[]` becomes `a[0]`, then `a[1]`: both spellings of a list are one from here on.
    private static func numbered(_ name: String, _ appended: inout [String: Int]) -> String {
        guard name.utf8.last == UInt8(ascii: "]"), name.hasSuffix("[]") else { return name }
        let count = appended[name, default: 0]
        appended[name] = count + 1
        return "\(name.dropLast(2))[\(count)]"
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
