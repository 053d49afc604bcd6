/// Finds Stripe's secret words in bytes.
enum StripeWord {
    /// A beginning, how much of it may be shown, and how many letters or digits must follow for it to be one.
    private static let kinds: [(start: [UInt8], follow: Int)] = [
        ("sk_test_", 1), ("sk_live_", 1), ("rk_test_", 1), ("rk_live_", 1), ("tok_", 1), ("whsec_", 1), ("pm_", 10),
        ("src_", 10), ("_secret_", 8),
    ].map { (Array($0.0.utf8), $0.1) }

    /// If such a word begins at `at`: how many of its bytes say only its kind, and where it ends.
    static func match(_ bytes: [UInt8], _ at: Int) -> (kept: Int, end: Int)? {
        // Most bytes begin none of them.
        switch bytes[at] {
        case UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "w"), UInt8(ascii: "p"),
            UInt8(ascii: "_"):
            break
        default: return nil
        }
        for kind in kinds {
            guard bytes[at...].starts(with: kind.start) else { continue }
            // `task_1` holds `sk_`, and is none; a client secret is a part of a longer word.
            if kind.start.first != UInt8(ascii: "_"), at > 0, isLetterOrDigit(bytes[at - 1]) { continue }
            let start = at + kind.start.count
            let end = bytes[start...].firstIndex { !isLetterOrDigit($0) && $0 != UInt8(ascii: "_") } ?? bytes.count
            if end - start >= kind.follow { return (kind.start.count, end) }
        }
        return nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (0x61...0x7A).contains(byte | 0x20)
    }
}
