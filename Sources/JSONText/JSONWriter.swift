/// Writes one JSON document, appending to bytes; commas come by themselves.
///
/// It does not check that brackets match: the code that writes a document reads like the document. What it writes is
/// valid UTF-8, and safe inside JavaScript (U+2028 and U+2029 are escaped).
public struct JSONWriter: Sendable {
    private var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer with room for so many bytes.
    public init(reserving capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    /// How many bytes are written.
    public var count: Int { bytes.count }

    /// The document written.
    public consuming func finish() -> [UInt8] { bytes }

    /// What is written so far, for who writes many documents with one writer and `reset()`.
    public var written: [UInt8] { bytes }

    /// Forgets what was written and keeps the memory, for the next document.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
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
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member's name from outside.
    public mutating func name(string name: String) {
        comma()
        JSONEscape.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string.
    public mutating func value(_ text: String) {
        comma()
        JSONEscape.append(text, to: &bytes)
    }

    /// An integer.
    public mutating func value(_ number: Int64) {
        comma()
        DecimalText.append(number, to: &bytes)
    }

    /// An integer.
    public mutating func value(_ number: Int) { value(Int64(number)) }

    /// The shortest text that reads back as the same number; `null` for infinities and NaN, which JSON has not.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        comma()
        bytes.append(contentsOf: number.description.utf8)
    }

    /// `true` or `false`.
    public mutating func value(_ flag: Bool) {
        comma()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// An instant, milliseconds since 1970, as `"2026-01-02T03:04:05.678Z"`.
    public mutating func value(time milliseconds: Int64) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(milliseconds: milliseconds, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// `null`
    public mutating func null() {
        comma()
        bytes.append(contentsOf: "null".utf8)
    }

    /// A value that is JSON already; the caller vouches for it.
    public mutating func raw(_ value: [UInt8]) {
        comma()
        bytes.append(contentsOf: value)
    }

    /// A value that is JSON already, such as a range from `JSONReader.skipReturningRange()`; the caller vouches for it.
    public mutating func raw(_ value: ArraySlice<UInt8>) {
        comma()
        bytes.append(contentsOf: value)
    }

    @inline(__always)
    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}
