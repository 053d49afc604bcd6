/// Masks what must not be shown, and keeps what helps to tell one value from another.
public enum SettingMask {
    /// Broker URLs, comma-separated, with their passwords masked: `amqp://user:***@host`. A list in which anything is
    /// not read as a URL is masked whole: a password with a comma in it falls apart into such pieces.
    public static func url(_ text: String) -> String {
        var masked: [String] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let one = one(piece) else { return Secret.mask }
            masked.append(one)
        }
        return masked.joined(separator: ",")
    }

    private static func one(_ text: Substring) -> String? {
        guard let slashes = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<slashes.upperBound]
        let rest = text[slashes.upperBound...]
        // A password may hold an `@` that should have been escaped: only the last one ends it.
        guard let at = rest.lastIndex(of: "@") else {
            guard endsInPort(rest.prefix { $0 != "/" && $0 != "?" }) else { return nil }
            return scheme + withoutPassword(rest)
        }
        let user = rest[..<at].prefix { $0 != ":" }
        let password = user.endIndex < at ? ":\(Secret.mask)" : ""
        return scheme + user + password + withoutPassword(rest[at...])
    }

    /// What stands behind a colon is a port and not a password whose host was forgotten.
    private static func endsInPort(_ authority: Substring) -> Bool {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return true }
        return authority[colon...].dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A query may name the password of a private key.
    private static func withoutPassword(_ text: Substring) -> String {
        guard let question = text.firstIndex(of: "?"), text[question...].lowercased().contains("pass") else {
            return String(text)
        }
        return text[...question] + Secret.mask
    }

    /// A key with only the part that says its kind: `sk_test_***`; `***` for any other text.
    public static func key(_ text: String) -> String {
        for kind in ["sk_test_", "sk_live_", "rk_test_", "rk_live_"] where text.hasPrefix(kind) {
            return kind + Secret.mask
        }
        return Secret.mask
    }
}
