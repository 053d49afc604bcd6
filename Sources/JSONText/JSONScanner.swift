/// Finds where a value ends and checks every byte of it on the way. Works on bytes only and allocates nothing.
enum JSONScanner {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    @inline(__always)
    static func afterSpace(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            // Most bytes are above a space; only then look which of the four it is.
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            at += 1
        }
        return at
    }

    /// The byte at `at`, or the error that the text stops here.
    @inline(__always)
    static func byte(_ bytes: Span<UInt8>, _ at: Int) throws(JSONError) -> UInt8 {
        guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        return bytes[at]
    }

    /// Passes a string's characters and its closing quote; `start` is behind the opening one.
    static func string(
        _ bytes: Span<UInt8>, _ start: Int, allowsNUL: Bool
    ) throws(JSONError) -> (end: Int, escaped: Bool) {
        var at = start
        var escaped = false
        while at < bytes.count {
            at = afterPlain(bytes.bytes, at)
            guard at < bytes.count else { break }
            let byte = bytes[at]
            if byte == quote { return (at + 1, escaped) }
            if byte == backslash {
                at = try escape(bytes, at, allowsNUL: allowsNUL)
                escaped = true
            } else if byte >= 0x80 {
                at = try multibyte(bytes, at)
            } else if byte >= 0x20 {
                at += 1
            } else {
                throw JSONError(.controlCharacter, at: at)
            }
        }
        throw JSONError(.unexpectedEnd, at: bytes.count)
    }

    /// Passes characters that mean only themselves, eight at a time; stops at or before the first that may not.
    @inline(__always)
    static func afterPlain(_ raw: RawSpan, _ start: Int) -> Int {
        var at = start
        while at + 8 <= raw.byteCount {
            let word = raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
            let quotes = word ^ (ones &* UInt64(quote))
            let slashes = word ^ (ones &* UInt64(backslash))
            // The lowest byte whose top bit is now set is the first that is below 0x20, a quote, a backslash or above
            // 0x7F; bytes behind it may be flagged wrongly by a borrow, which is why only the first is used.
            let special = ((word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | word) & (ones &* 0x80)
            if special != 0 { return at + special.trailingZeroBitCount / 8 }
            at += 8
        }
        return at
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Passes one escape sequence, both halves of a surrogate pair together; `at` is the backslash.
    private static func escape(_ bytes: Span<UInt8>, _ at: Int, allowsNUL: Bool) throws(JSONError) -> Int {
        switch try byte(bytes, at + 1) {
        case quote, backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            let unit = try hex4(bytes, at + 2)
            switch unit {
            case 0 where !allowsNUL: throw JSONError(.refusedNUL, at: at)
            case 0xDC00...0xDFFF: throw JSONError(.loneSurrogate, at: at)
            case 0xD800...0xDBFF:
                guard at + 7 < bytes.count, bytes[at + 6] == backslash, bytes[at + 7] == UInt8(ascii: "u") else {
                    throw JSONError(.loneSurrogate, at: at)
                }
                let low = try hex4(bytes, at + 8)
                guard (0xDC00...0xDFFF).contains(low) else { throw JSONError(.loneSurrogate, at: at) }
                return at + 12
            default: return at + 6
            }
        default: throw JSONError(.invalidEscape, at: at)
        }
    }

    /// Four hexadecimal digits as a UTF-16 unit.
    static func hex4(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for at in start..<start + 4 {
            let digit = try byte(bytes, at)
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(digit - UInt8(ascii: "A") + 10)
            default: throw JSONError(.invalidEscape, at: at)
            }
        }
        return unit
    }

    /// Passes one character of two to four bytes: the well-formed sequences of Unicode, table 3-7.
    private static func multibyte(_ bytes: Span<UInt8>, _ at: Int) throws(JSONError) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[at] {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw JSONError(.invalidUTF8, at: at)
        }
        guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { throw JSONError(.invalidUTF8, at: at) }
        for next in at + 2..<max(at + 2, at + length) where bytes[next] & 0xC0 != 0x80 {
            throw JSONError(.invalidUTF8, at: at)
        }
        return at + length
    }

    /// Passes a number; `start` is its first character.
    static func number(
        _ bytes: Span<UInt8>, _ start: Int, longest: Int
    ) throws(JSONError) -> (end: Int, isInteger: Bool) {
        var at = start
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        if at < bytes.count, bytes[at] == UInt8(ascii: "0") { at += 1 } else { at = try digits(bytes, at) }
        var isInteger = true
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            isInteger = false
            at = try digits(bytes, at + 1)
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            at = try digits(bytes, at)
        }
        guard at - start <= longest else { throw JSONError(.numberTooLong, at: start) }
        return (at, isInteger)
    }

    /// Passes one digit or more.
    private static func digits(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var at = start
        while at < bytes.count, bytes[at] &- UInt8(ascii: "0") <= 9 { at += 1 }
        guard at > start else { throw JSONError(at < bytes.count ? .invalidNumber : .unexpectedEnd, at: at) }
        return at
    }

    /// Passes `true`, `false` or `null`.
    static func literal(_ bytes: Span<UInt8>, _ start: Int, _ word: StaticString) throws(JSONError) -> Int {
        // Their last four letters tell them apart.
        let last = word.utf8CodeUnitCount - 4
        if start + last + 4 <= bytes.count {
            let theirs = UnsafeRawPointer(word.utf8Start).loadUnaligned(fromByteOffset: last, as: UInt32.self)
            let ours = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start + last, as: UInt32.self)
            if ours == theirs { return start + word.utf8CodeUnitCount }
        }
        for offset in 0..<word.utf8CodeUnitCount {
            guard try byte(bytes, start + offset) == word.utf8Start[offset] else {
                throw JSONError(.unexpectedByte, at: start + offset)
            }
        }
        return start + word.utf8CodeUnitCount
    }
}
