/// The last net: takes what must never be in a log out of a text that should not have held it. Types that cannot be
/// printed are the first; whoever writes a log does not rely on this one.
///
/// Masked are Stripe's keys (`sk_test_…`), tokens (`tok_…`), payment methods and sources (`pm_1…`, `src_1…`), client
/// secrets (`…_secret_…`), webhook secrets (`whsec_…`), and card numbers: 13 to 19 digits, alone or in groups, that
/// begin as an issuer's do and pass the Luhn check.
public enum Scrubber {
    /// What stands where something was taken out.
    public static let mask = "***"

    /// The text, or a copy with what must not be in it masked. Most texts cost one look at each byte.
    public static func scrub(_ text: String) -> String {
        let needsLook = text.utf8.withContiguousStorageIfAvailable { isSuspicious($0) }
        return needsLook == false ? text : masked(Array(text.utf8), text)
    }

    /// Whether a closer look is needed: enough digits for a card number, or a word of ours before an underscore.
    private static func isSuspicious(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var digits = 0
        for (at, byte) in bytes.enumerated() {
            if byte &- 0x30 <= 9 {
                digits += 1
                if digits >= CardRun.shortest { return true }
            } else if byte == UInt8(ascii: "_"), at > 0 {
                // sk_ rk_ tok_, pm_, src_ whsec_, secret_
                switch bytes[at - 1] | 0x20 {
                case UInt8(ascii: "k"), UInt8(ascii: "m"), UInt8(ascii: "c"), UInt8(ascii: "t"): return true
                default: break
                }
            }
        }
        return false
    }

    private static func masked(_ bytes: [UInt8], _ text: String) -> String {
        var out: [UInt8] = []
        var at = 0
        var changed = false
        while at < bytes.count {
            if let end = CardRun.end(bytes, at) {
                out += mask.utf8
                at = end
                changed = true
            } else if let (kept, end) = StripeWord.match(bytes, at) {
                out += bytes[at..<at + kept]
                out += mask.utf8
                at = end
                changed = true
            } else {
                // A run of digits that is no card number is passed whole: its tail is none either.
                let next = CardRun.isDigit(bytes[at]) ? CardRun.afterDigits(bytes, at) : at + 1
                out += bytes[at..<next]
                at = next
            }
        }
        return changed ? String(decoding: out, as: UTF8.self) : text
    }
}
