internal import HTTPClient
internal import Settings

/// A key in the form in which requests carry it.
struct StripeKey {
    /// `sk_live_…` or `rk_live_…`.
    let isLive: Bool
    /// The headers of every request under this key; made once, read by libcurl as they are.
    let headers: ConstantHeaders

    init(_ secret: Secret, settings: StripeSettings) {
        let text = secret.reveal()
        isLive = text.hasPrefix("sk_live_") || text.hasPrefix("rk_live_")
        headers = ConstantHeaders([
            // The key is the user, the password is empty (docs: api/authentication).
            ("Authorization", "Basic " + Base64.text(Array((text + ":").utf8))),
            ("Stripe-Version", StripeSettings.apiVersion),
            ("User-Agent", "chargeline/" + settings.programVersion),
        ])
    }
}

/// RFC 4648, with padding.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for byte in group { bits = bits << 8 | Int(byte) }
            bits <<= 8 * (3 - group.count)
            for place in 0..<4 {
                out.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
