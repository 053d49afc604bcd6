/// Writes one JSON document, appending to bytes; commas come by themselves.
///
/// It does not check that brackets match: the code that writes a document reads like the document. What it writes is
/// valid UTF-8, and safe inside JavaScript (U+2028 and U+2029 are escaped).
public struct JSONWriter: Sendable {
    private var tail: ByteTail
    private var needsComma = false

    /// A writer with room for so many bytes.
    public init(reserving capacity: Int = 512) {
        tail = ByteTail(reserving: capacity)
    }

    /// How many bytes are written.
    public var count: Int { tail.count }

    /// The document written.
    public consuming func finish() -> [UInt8] { tail.finish() }

    /// What is written so far, for who writes many documents with one writer and `reset()`.
    public var written: [UInt8] { tail.bytes }

    /// Forgets what was written and keeps the memory, for the next document.
    public mutating func reset() {
        tail.removeAll()
        needsComma = false
    }

    /// `{`
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// `}`
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// `[`
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// `]`
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// A member's name, written as it stands in the source: it must need no escape.
    public mutating func name(_ name: StaticString) {
        let comma = needsComma
        needsComma = false
        tail.append(most: name.utf8CodeUnitCount + 4) {
            let start = comma ? $0.put(UInt8(ascii: ",")) : $0
            return start.put(JSONScanner.quote).put(name).put(JSONScanner.quote).put(UInt8(ascii: ":"))
        }
    }

    /// A member's name from outside.
    public mutating func name(string name: String) {
        comma()
        JSONEscape.append(name, to: &tail)
        tail.append(most: 1) { $0.put(UInt8(ascii: ":")) }
        needsComma = false
    }

    /// A string.
    public mutating func value(_ text: String) {
        comma()
        JSONEscape.append(text, to: &tail)
    }

    /// An integer.
    public mutating func value(_ number: Int64) {
        comma()
        tail.append(most: DecimalText.longest) { DecimalText.put(number, at: $0) }
    }

    /// An integer.
    public mutating func value(_ number: Int) { value(Int64(number)) }

    /// The shortest text that reads back as the same number; `null` for infinities and NaN, which JSON has not.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        raw(Array(number.description.utf8))
    }

    /// `true` or `false`.
    public mutating func value(_ flag: Bool) { word(flag ? "true" : "false") }

    /// An instant, milliseconds since 1970, as `"2026-01-02T03:04:05.678Z"`.
    public mutating func value(time milliseconds: Int64) {
        comma()
        tail.append(most: RFC3339.length + 2) {
            RFC3339.put(milliseconds: milliseconds, at: $0.put(JSONScanner.quote)).put(JSONScanner.quote)
        }
    }

    /// `null`
    public mutating func null() { word("null") }

    /// A value that is JSON already; the caller vouches for it.
    public mutating func raw(_ value: [UInt8]) {
        comma()
        value.withUnsafeBufferPointer { tail.append($0) }
    }

    /// A value that is JSON already, such as a range from `JSONReader.skipReturningRange()`; the caller vouches for it.
    public mutating func raw(_ value: ArraySlice<UInt8>) {
        comma()
        value.withUnsafeBufferPointer { tail.append($0) }
    }

    private mutating func word(_ word: StaticString) {
        comma()
        tail.append(most: word.utf8CodeUnitCount) { $0.put(word) }
    }

    @inline(__always)
    private mutating func comma() {
        if needsComma { tail.append(most: 1) { $0.put(UInt8(ascii: ",")) } }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        comma()
        tail.append(most: 1) { $0.put(bracket) }
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        tail.append(most: 1) { $0.put(bracket) }
        needsComma = true
    }
}
