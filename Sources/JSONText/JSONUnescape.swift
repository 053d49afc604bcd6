/// Resolves the escapes of a string that the scanner has already found valid.
enum JSONUnescape {
    static func text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
        var resolved: [UInt8] = []
        resolved.reserveCapacity(end - start)
        var at = start
        while at < end {
            let byte = bytes[at]
            if byte != JSONScanner.backslash {
                resolved.append(byte)
                at += 1
            } else if bytes[at + 1] != UInt8(ascii: "u") {
                resolved.append(short(bytes[at + 1]))
                at += 2
            } else {
                at = unicode(bytes, at, into: &resolved)
            }
        }
        return String(decoding: resolved, as: UTF8.self)
    }

    private static func short(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private static func unicode(_ bytes: Span<UInt8>, _ at: Int, into resolved: inout [UInt8]) -> Int {
        var next = at + 6
        var value = unit(bytes, at + 2)
        if (0xD800...0xDBFF).contains(value) {
            value = 0x10000 + (value - 0xD800) << 10 + (unit(bytes, at + 8) - 0xDC00)
            next = at + 12
        }
        if let scalar = Unicode.Scalar(value) { resolved.append(contentsOf: String(Character(scalar)).utf8) }
        return next
    }

    private static func unit(_ bytes: Span<UInt8>, _ start: Int) -> UInt32 {
        (try? JSONScanner.hex4(bytes, start)) ?? 0xFFFD
    }
}
