/// The key a caller showed. It is never kept or printed whole.
struct APIKey: Equatable, CustomStringConvertible, CustomReflectable {
    /// What a key may do.
    enum Kind: Equatable {
        case secret
        /// `rk_…`
        case restricted
        /// `rk_test_readonly…`, the sandbox's own: a restricted key without any write permission.
        case readOnly
        /// `pk_…`: makes tokens, nothing else.
        case publishable
        case unknown
    }

    let kind: Kind
    let isLive: Bool
    /// As Stripe echoes a wrong key: the prefix, stars, the last four.
    let masked: String

    init(_ text: String) {
        isLive = ["sk_live_", "rk_live_", "pk_live_"].contains { text.hasPrefix($0) }
        if text.hasPrefix("sk_") {
            kind = .secret
        } else if text.hasPrefix("rk_test_readonly") {
            kind = .readOnly
        } else if text.hasPrefix("rk_") {
            kind = .restricted
        } else if text.hasPrefix("pk_") {
            kind = .publishable
        } else {
            kind = .unknown
        }
        let shown = kind == .unknown ? 0 : 8
        let stars = String(repeating: "*", count: max(4, min(24, text.count - shown - 4)))
        masked = text.prefix(shown) + stars + (text.count > shown + 4 ? text.suffix(4) : "")
    }

    /// The key of an Authorization header, `Basic base64(key:)` or `Bearer key`; nil when it holds none.
    static func read(authorization: String?) -> APIKey? {
        guard let authorization else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer":
            return APIKey(String(parts[1]))
        case "basic":
            guard let bytes = Base64.decode(parts[1]) else { return nil }
            let user = bytes.prefix { $0 != UInt8(ascii: ":") }
            return user.isEmpty ? nil : APIKey(String(decoding: user, as: UTF8.self))
        default:
            return nil
        }
    }

    var description: String { masked }
    var customMirror: Mirror { Mirror(self, children: ["key": masked]) }
}
