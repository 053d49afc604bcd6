internal import Settings

/// Who is calling.
struct Caller: Hashable {
    /// The key's id; empty where no keys are configured and everybody on this machine is the one caller.
    let id: String
}

/// Tells callers by their keys.
struct Callers {
    /// More than one caller: then every charge id begins with its caller's, so that no caller meets another's charges.
    let areMany: Bool
    private let keys: [APIKey]

    init(_ keys: [APIKey]) {
        self.keys = keys
        areMany = Set(keys.map(\.id)).count > 1
    }

    /// Whether keys are asked for at all.
    var needKeys: Bool { !keys.isEmpty }

    /// The caller of a request by its `Authorization`: `Bearer` and the key, or `Basic` with the key as user (as Stripe
    /// has it) or as password of the user named as the key's id. Nil: no valid key.
    func identify(authorization: String?) -> Caller? {
        guard needKeys else { return Caller(id: "") }
        guard let authorization, let space = authorization.firstIndex(of: " ") else { return nil }
        let rest = String(authorization[authorization.index(after: space)...].drop { $0 == " " })
        switch authorization[..<space].lowercased() {
        case "bearer": return find(key: rest, id: nil)
        case "basic":
            guard let text = Base64.decode(rest).flatMap({ String(validating: $0, as: UTF8.self) }),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            let user = String(text[..<colon])
            let password = String(text[text.index(after: colon)...])
            return password.isEmpty ? find(key: user, id: nil) : find(key: password, id: user)
        default: return nil
        }
    }

    /// Looks at every key however early one fits, so that the time says nothing.
    private func find(key: String, id: String?) -> Caller? {
        var found: Caller?
        for candidate in keys {
            let fits = candidate.key.matches(key) && !candidate.key.isEmpty
            if fits, id == nil || id == candidate.id { found = Caller(id: candidate.id) }
        }
        return found
    }
}

/// RFC 4648, section 4.
enum Base64 {
    /// The bytes; nil for anything that is not base64. Padding may be missing.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
            guard let value = value(character) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return count == 6 ? nil : bytes
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
