/// Takes out of text what must not leave: keys, tokens, client secrets, authorization headers and card numbers. For
/// messages of Stripe and of libraries, before they enter a result, a log or an answer.
public enum Scrubber {
    /// Beginnings of ids and keys of Stripe whose rest is masked.
    private static let prefixes: [[UInt8]] = [
        "sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "pk_test_", "rkcs_test_", "ek_live_", "ek_test_",
        "whsec_",
        "tok_", "pm_", "src_",
    ].map { Array($0.utf8) }
    /// Of these, the keys: whoever reads one can charge with it.
    private static let keyPrefixes = prefixes.filter { $0.count >= 6 }
    private static let tokenPrefix = Array("tok_".utf8)
    /// A key's own part is at least this long; an id's at least that. So long a word is masked wherever its prefix
    /// stands, a shorter one only as a word of its own (`tok_visa`, but not `stok_exchange`).
    private static let keyLength = 10, idLength = 14
    private static let secretMark = Array("_secret_".utf8)

    /// `text` with every secret's own part made `…`.
    public static func scrub(_ text: String) -> String {
        guard isSuspicious(text) else { return text }
        var scrubbed = maskWords(Array(text.utf8))
        for range in CardNumbers.ranges(in: scrubbed).reversed() {
            let last = scrubbed[range].filter(CardNumbers.isDigit).suffix(4)
            scrubbed.replaceSubrange(range, with: Array("…".utf8) + last)
        }
        return String(decoding: scrubbed, as: UTF8.self)
    }

    /// Whether `text` holds a secret key or an unspent one-time token: such text may stand in no field that results
    /// repeat.
    static func holdsKeyOrToken(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for at in bytes.indices where bytes[at] == UInt8(ascii: "_") {
            for prefix in keyPrefixes where ends(bytes, at, prefix) {
                if wordEnd(bytes, from: at + 1) - at - 1 >= keyLength { return true }
            }
            if ends(bytes, at, tokenPrefix), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "1") {
                let rest = bytes[(at + 1)...].prefix { CardNumbers.isDigit($0) || CardNumbers.isLetter($0) }
                if rest.count >= 20 { return true }
            }
        }
        return false
    }

    /// Whether `prefix`, whose last character is the one at `at`, stands there.
    private static func ends(_ bytes: [UInt8], _ at: Int, _ prefix: [UInt8]) -> Bool {
        at + 1 >= prefix.count && bytes[(at + 1 - prefix.count)...at].elementsEqual(prefix)
    }

    /// Whether anything in it could need masking: an underscore, 13 digits, or the words before a header's secret.
    private static func isSuspicious(_ text: String) -> Bool {
        var digits = 0
        var last: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            if CardNumbers.isDigit(byte) {
                digits += 1
                if digits == 13 { return true }
            }
            if byte == UInt8(ascii: "_") { return true }
            // "Bearer " ends in "er ", "Basic " in "ic ".
            if byte == UInt8(ascii: " "),
                last == (UInt8(ascii: "e"), UInt8(ascii: "r")) || last == (0x69, 0x63)
                    || last == (UInt8(ascii: "E"), UInt8(ascii: "R")) || last == (0x49, 0x43)
            {
                return true
            }
            last = (last.1, byte)
        }
        return false
    }

    private static func maskWords(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if let (keep, end) = secret(in: bytes, at: at) {
                out += bytes[at..<keep]
                out += "…".utf8
                at = end
            } else {
                out.append(bytes[at])
                at += 1
            }
        }
        return out
    }

    /// The secret that begins at `at`: how much of it may stay, and where it ends.
    private static func secret(in bytes: [UInt8], at: Int) -> (keep: Int, end: Int)? {
        if bytes[at] == UInt8(ascii: "_"), bytes[at...].starts(with: secretMark) {
            let keep = at + secretMark.count
            let end = wordEnd(bytes, from: keep)
            return end > keep ? (keep, end) : nil
        }
        guard at + 3 < bytes.count, CardNumbers.isLetter(bytes[at]) else { return nil }
        let isWord = isWordStart(bytes, at)
        for prefix in prefixes where bytes[at...].starts(with: prefix) {
            let keep = at + prefix.count
            let end = wordEnd(bytes, from: keep)
            let enough = isWord ? 1 : prefix.count >= 6 ? keyLength : idLength
            return end - keep >= enough ? (keep, end) : nil
        }
        guard isWord else { return nil }
        for scheme in ["bearer ", "basic "] where beginsIgnoringCase(bytes, at, scheme) {
            let keep = at + scheme.utf8.count
            let end = bytes[keep...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == 0x27 } ?? bytes.count
            return looksLikeCredential(bytes[keep..<end]) ? (keep, end) : nil
        }
        return nil
    }

    /// A credential has eight characters or more and something that a word of English has not.
    private static func looksLikeCredential(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 8
            && word.dropFirst().contains { !CardNumbers.isLetter($0) || $0 & 0x20 == 0 && CardNumbers.isLetter($0) }
    }

    private static func isWordStart(_ bytes: [UInt8], _ at: Int) -> Bool {
        guard at > 0 else { return true }
        return !CardNumbers.isDigit(bytes[at - 1]) && !CardNumbers.isLetter(bytes[at - 1])
    }

    /// The end of an id or key. Webhook secrets are base64, and Stripe masks keys with stars by itself.
    private static func wordEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            guard CardNumbers.isDigit(byte) || CardNumbers.isLetter(byte) || "_+/=*".utf8.contains(byte) else { break }
            end += 1
        }
        return end
    }

    private static func beginsIgnoringCase(_ bytes: [UInt8], _ at: Int, _ word: String) -> Bool {
        bytes.count - at >= word.utf8.count && zip(bytes[at...], word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}
