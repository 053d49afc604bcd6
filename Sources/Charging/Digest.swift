internal import CCrypto

/// SHA-256, as lower-case hex.
enum Digest {
    /// Found by its name once: OpenSSL's `SHA256` finds it anew at every call, which costs more than the hash of a
    /// form. It is never changed, so any thread may read it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256()

    /// The 32 bytes of SHA-256.
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            bytes.withUnsafeBytes { _ = EVP_Digest($0.baseAddress, $0.count, buffer.baseAddress, nil, algorithm, nil) }
            count = 32
        }
    }

    /// The first `digits` hex digits of SHA-256; 64 are all of it.
    static func sha256Hex(_ bytes: [UInt8], digits: Int) -> String {
        String(decoding: sha256HexBytes(bytes, digits: digits), as: UTF8.self)
    }

    /// The same as ASCII bytes.
    static func sha256HexBytes(_ bytes: [UInt8], digits: Int) -> [UInt8] {
        let sum = sha256(bytes)
        return [UInt8](unsafeUninitializedCapacity: digits) { buffer, count in
            for place in 0..<digits {
                let nibble = place.isMultiple(of: 2) ? sum[place / 2] >> 4 : sum[place / 2] & 0xF
                buffer[place] = hex(nibble)
            }
            count = digits
        }
    }

    /// The digit of a value from 0 to 15.
    static func hex(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
