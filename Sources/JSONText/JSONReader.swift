/// Reads one JSON document from bytes, value by value, in the order in which it stands there.
///
///     var reader = JSONReader(body)
///     try reader.beginObject()
///     while let name = try reader.nextName() {
///         if name.matches("amount") { amount = try reader.integer() } else { try reader.skip() }
///     }
///     try reader.end()
///
/// Strict: RFC 8259 and nothing more (no comments, no trailing commas, no byte order mark, UTF-8 only). Doubled names
/// are handed out twice; the caller refuses them. A call that reads a value and throws leaves the reader before that
/// value, so that `skip()` can pass it and the other fields be read; an error of `skip()` itself ends the document.
public struct JSONReader: Sendable {
    enum State {
        case value, inside, afterValue
    }

    /// The document.
    public let bytes: [UInt8]
    let limits: JSONLimits
    var at = 0
    var state = State.value
    var open: JSONNesting

    /// A reader at the start of a document. A document beyond the limit of bytes is refused by the first call.
    public init(_ bytes: [UInt8], limits: JSONLimits = .standard) {
        self.bytes = bytes
        self.limits = limits
        open = JSONNesting(limit: limits.depth)
    }

    /// Byte offset of the next byte to be read.
    public var offset: Int { at }

    /// The kind of the value that comes next; reads nothing but space.
    public mutating func peek() throws(JSONError) -> JSONKind {
        switch try firstByte() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case JSONScanner.quote: return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        default: throw JSONError(.unexpectedByte, at: at)
        }
    }

    /// Enters an object; its members follow by `nextName()`.
    public mutating func beginObject() throws(JSONError) {
        guard try peek() == .object else { throw JSONError(.wrongKind, at: at) }
        try open.push(object: true, at: at)
        enter()
    }

    /// The next member's name, its value being next to read; nil at the end of the object, which is thereby left.
    public mutating func nextName() throws(JSONError) -> JSONName? {
        guard open.isObject, state != .value else { throw JSONError(.outOfOrder, at: at) }
        guard try another(closing: UInt8(ascii: "}")) else { return nil }
        guard try JSONScanner.byte(bytes.span, at) == JSONScanner.quote else {
            throw JSONError(.unexpectedByte, at: at)
        }
        let string = try JSONScanner.string(bytes.span, at + 1, allowsNUL: limits.allowsNUL)
        let colon = JSONScanner.afterSpace(bytes.span, string.end)
        guard try JSONScanner.byte(bytes.span, colon) == UInt8(ascii: ":") else {
            throw JSONError(.unexpectedByte, at: colon)
        }
        let start = at + 1
        at = colon + 1
        state = .value
        return JSONName(bytes: bytes, start: start, end: string.end - 1, escaped: string.escaped)
    }

    /// Enters an array; its elements follow by `nextElement()`.
    public mutating func beginArray() throws(JSONError) {
        guard try peek() == .array else { throw JSONError(.wrongKind, at: at) }
        try open.push(object: false, at: at)
        enter()
    }

    /// Whether an element follows, being next to read; false at the end of the array, which is thereby left.
    public mutating func nextElement() throws(JSONError) -> Bool {
        guard open.isArray, state != .value else { throw JSONError(.outOfOrder, at: at) }
        guard try another(closing: UInt8(ascii: "]")) else { return false }
        state = .value
        return true
    }

    /// Passes a value of any kind, checking all of it.
    public mutating func skip() throws(JSONError) {
        _ = try skipReturningRange()
    }

    /// Passes a value of any kind, checking all of it, and tells where its bytes stand, without space around them.
    public mutating func skipReturningRange() throws(JSONError) -> Range<Int> {
        _ = try firstByte()
        let start = at
        at = try JSONSkip.value(bytes.span, start, depth: open.count, limits: limits)
        state = .afterValue
        return start..<at
    }

    /// Checks that the document is complete and that only white space remains.
    public mutating func end() throws(JSONError) {
        guard open.count == 0, state == .afterValue else { throw JSONError(.outOfOrder, at: at) }
        at = JSONScanner.afterSpace(bytes.span, at)
        guard at == bytes.count else { throw JSONError(.trailingBytes, at: at) }
    }

    /// The first byte of the value that must come next.
    mutating func firstByte() throws(JSONError) -> UInt8 {
        guard state == .value else { throw JSONError(.outOfOrder, at: at) }
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        at = JSONScanner.afterSpace(bytes.span, at)
        return try JSONScanner.byte(bytes.span, at)
    }

    private mutating func enter() {
        at += 1
        state = .inside
    }

    /// Passes the comma before another member or element, or the bracket behind the last one.
    private mutating func another(closing: UInt8) throws(JSONError) -> Bool {
        at = JSONScanner.afterSpace(bytes.span, at)
        let byte = try JSONScanner.byte(bytes.span, at)
        if byte == closing {
            at += 1
            open.pop()
            state = .afterValue
            return false
        }
        if state == .afterValue {
            guard byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: at) }
            at = JSONScanner.afterSpace(bytes.span, at + 1)
            // A closing bracket here would be a trailing comma; the reading of the value refuses it.
        }
        return true
    }
}
