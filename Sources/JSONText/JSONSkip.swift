/// Passes a whole value of any kind, checking all of it: what is skipped is as valid as what is read.
enum JSONSkip {
    /// Where the value that begins at or behind `start` ends. `depth` containers are open around it.
    static func value(_ bytes: Span<UInt8>, _ start: Int, depth: Int, limits: JSONLimits) throws(JSONError) -> Int {
        var at = JSONScanner.afterSpace(bytes, start)
        var open = JSONNesting(count: depth, limit: limits.depth)
        while true {
            at = try head(bytes, at, &open, limits)
            // `head` stops behind a complete value, or before the first value of a container that it opened.
            if open.isFresh {
                open.isFresh = false
                continue
            }
            while true {
                if open.count == depth { return at }
                at = JSONScanner.afterSpace(bytes, at)
                let byte = try JSONScanner.byte(bytes, at)
                if byte == UInt8(ascii: ",") {
                    at = JSONScanner.afterSpace(bytes, at + 1)
                    if open.isObject { at = try name(bytes, at, limits) }
                    break
                }
                guard byte == (open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONError(.unexpectedByte, at: at)
                }
                open.pop()
                at += 1
            }
        }
    }

    /// Passes a scalar or an empty container, or enters a container that has something in it.
    @inline(__always)
    private static func head(
        _ bytes: Span<UInt8>, _ at: Int, _ open: inout JSONNesting, _ limits: JSONLimits
    ) throws(JSONError) -> Int {
        switch try JSONScanner.byte(bytes, at) {
        case JSONScanner.quote: return try JSONScanner.string(bytes, at + 1, allowsNUL: limits.allowsNUL).end
        case UInt8(ascii: "{"):
            try open.push(object: true, at: at)
            let next = JSONScanner.afterSpace(bytes, at + 1)
            if try JSONScanner.byte(bytes, next) == UInt8(ascii: "}") {
                open.pop()
                return next + 1
            }
            open.isFresh = true
            return try name(bytes, next, limits)
        case UInt8(ascii: "["):
            try open.push(object: false, at: at)
            let next = JSONScanner.afterSpace(bytes, at + 1)
            if try JSONScanner.byte(bytes, next) == UInt8(ascii: "]") {
                open.pop()
                return next + 1
            }
            open.isFresh = true
            return next
        case UInt8(ascii: "t"): return try JSONScanner.literal(bytes, at, "true")
        case UInt8(ascii: "f"): return try JSONScanner.literal(bytes, at, "false")
        case UInt8(ascii: "n"): return try JSONScanner.literal(bytes, at, "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try JSONScanner.number(bytes, at, longest: limits.numberLength).end
        default: throw JSONError(.unexpectedByte, at: at)
        }
    }

    /// Passes a member's name, the colon, and the space before its value.
    private static func name(_ bytes: Span<UInt8>, _ at: Int, _ limits: JSONLimits) throws(JSONError) -> Int {
        guard try JSONScanner.byte(bytes, at) == JSONScanner.quote else { throw JSONError(.unexpectedByte, at: at) }
        let end = try JSONScanner.string(bytes, at + 1, allowsNUL: limits.allowsNUL).end
        let colon = JSONScanner.afterSpace(bytes, end)
        guard try JSONScanner.byte(bytes, colon) == UInt8(ascii: ":") else {
            throw JSONError(.unexpectedByte, at: colon)
        }
        return JSONScanner.afterSpace(bytes, colon + 1)
    }
}
