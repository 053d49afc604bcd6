/// Ids shaped as Stripe's, `ch_3…` and 23 more characters, computed from an object's number and the seed: none is
/// stored, and finding an object by its id is arithmetic.
struct ObjectID: Sendable {
    /// A kind of object, by the prefix of its ids.
    enum Kind: UInt64, Sendable, CaseIterable {
        case charge, intent, method, token, card, customer, balanceTransaction, request, secret

        var prefix: String {
            switch self {
            case .charge: "ch_3"
            case .intent: "pi_3"
            case .method: "pm_1"
            case .token: "tok_1"
            case .card: "card_1"
            case .customer: "cus_"
            case .balanceTransaction: "txn_3"
            case .request: "req_"
            case .secret: ""
            }
        }

        /// Characters after the prefix: 11 hold the number, the others are noise.
        var length: Int {
            switch self {
            case .customer, .request: 14
            default: 23
            }
        }
    }

    let seed: UInt64

    /// The id of an object's number.
    func text(_ kind: Kind, _ number: Int) -> String {
        let prefix = kind.prefix
        let salt = salt(kind)
        let count = prefix.utf8.count + kind.length
        return String(unsafeUninitializedCapacity: count) { buffer in
            var at = 0
            for byte in prefix.utf8 {
                buffer[at] = byte
                at += 1
            }
            at = Self.digits(Self.mix(UInt64(number) &+ salt), 11, into: buffer, at)
            let noise = Self.mix(UInt64(number) ^ salt ^ 0x9E37_79B9_7F4A_7C15)
            at = Self.digits(noise, min(11, kind.length - 11), into: buffer, at)
            if at < count { at = Self.digits(Self.mix(noise), count - at, into: buffer, at) }
            return at
        }
    }

    /// The number of an object whose id this is; nil for any other text.
    func number(_ kind: Kind, _ text: some StringProtocol) -> Int? {
        let prefix = kind.prefix
        guard text.utf8.count == prefix.utf8.count + kind.length, text.hasPrefix(prefix) else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8.dropFirst(prefix.utf8.count).prefix(11).reversed() {
            guard let digit = Self.value(of: byte) else { return nil }
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 62)
            let (sum, carried) = shifted.addingReportingOverflow(digit)
            guard !overflow, !carried else { return nil }
            value = sum
        }
        let number = Self.unmix(value) &- salt(kind)
        guard number < 1 << 40 else { return nil }
        return self.text(kind, Int(number)) == text ? Int(number) : nil
    }

    private func salt(_ kind: Kind) -> UInt64 {
        Self.mix(seed ^ (kind.rawValue &+ 1) &* 0xD1B5_4A32_D192_ED03)
    }

    // MARK: A reversible scramble of 64 bits (odd factors have inverses; a shift by 32 is its own)

    private static let first: UInt64 = 0xBF58_476D_1CE4_E5B9
    private static let second: UInt64 = 0x94D0_49BB_1331_11EB
    private static let firstInverse = inverse(of: first)
    private static let secondInverse = inverse(of: second)

    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &* first
        mixed ^= mixed >> 32
        mixed = mixed &* second
        return mixed ^ mixed >> 32
    }

    static func unmix(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ value >> 32) &* secondInverse
        mixed ^= mixed >> 32
        return mixed &* firstInverse
    }

    /// Newton's iteration modulo 2^64: each step doubles the right bits.
    private static func inverse(of odd: UInt64) -> UInt64 {
        var result = odd
        for _ in 0..<6 { result = result &* (2 &- odd &* result) }
        return result
    }

    // MARK: Base 62, lowest digit first

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func digits(
        _ value: UInt64, _ count: Int, into buffer: UnsafeMutableBufferPointer<UInt8>, _ start: Int
    ) -> Int {
        var rest = value
        for offset in 0..<count {
            buffer[start + offset] = alphabet[Int(rest % 62)]
            rest /= 62
        }
        return start + count
    }

    private static func value(of byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A")) + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a")) + 36
        default: nil
        }
    }
}
