/// Charge ids for requests that bring none. The first two are the same on every replica and in every version, so that a
/// request sent again is the same charge; they are frozen by test vectors:
///
/// | caller | text | id |
/// |---|---|---|
/// | `shop` | key `8f14e45f` | `ik_71777c40b2767e805ecd264727a8f067a615b3d6` |
/// | (empty) | key `a` | `ik_7361a6f4b374745deaf896ac72887d55e04107d1` |
/// | `shop` | token `tok_1N3T00LkdIwHu7ixt44h1F8k` | `tk_08f2ffc1032ce6194a9f777719e6db02b77176a8` |
///
/// Anyone can repeat them: `printf 'shop\n8f14e45f' | sha256sum | cut -c 1-40`.
public enum DerivedID {
    /// From an `Idempotency-Key`: `ik_` and 40 hex digits of SHA-256 of caller id, line feed, key.
    public static func fromIdempotencyKey(caller: String, key: String) -> ChargeID {
        derived("ik_", caller: caller, text: key)
    }

    /// From a one-time token: `tk_` and 40 hex digits of SHA-256 of caller id, line feed, token. Only for a token whose
    /// `isOneTime` is true: any other may rightly pay twice.
    public static func fromOneTimeToken(caller: String, token: CardToken) -> ChargeID {
        derived("tk_", caller: caller, text: token.reveal())
    }

    /// A new id that no other has: `cl_` and 24 hex digits (96 random bits). `generator` must be the system's in
    /// anything but a test.
    public static func random(using generator: inout some RandomNumberGenerator) -> ChargeID {
        var digits: [UInt8] = Array("cl_".utf8)
        for _ in 0..<3 {
            let bits = UInt32.random(in: .min ... .max, using: &generator)
            for shift in stride(from: 28, through: 0, by: -4) {
                digits.append(Digest.hex(UInt8(bits >> UInt32(shift) & 0xF)))
            }
        }
        return ChargeID(made: String(decoding: digits, as: UTF8.self))
    }

    private static func derived(_ prefix: String, caller: String, text: String) -> ChargeID {
        ChargeID(made: prefix + Digest.sha256Hex(Array((caller + "\n" + text).utf8), digits: 40))
    }
}
