internal import Charging
internal import JSONText

/// A line of a JSON Lines file: a charge as the wire has it, and perhaps `lane` beside its fields.
struct ChargeLine {
    /// The body without `lane`.
    private(set) var body: [UInt8]
    private(set) var lane: String?
    private(set) var problems: [RowProblem] = []

    /// Takes `lane` out of an object. What is not JSON stays as it is: Charging says what is wrong with it.
    init(_ line: LineReader.Line, bytes: [UInt8]) {
        body = bytes
        var found: [(range: Range<Int>, isText: Bool)] = []
        var writer = JSONWriter(reserving: bytes.count)
        do throws(JSONError) {
            var reader = JSONReader(bytes, limits: JSONLimits(depth: 16))
            guard try reader.peek() == .object else { return }
            try reader.beginObject()
            writer.beginObject()
            while let name = try reader.nextName() {
                let kind = try reader.peek()
                let range = try reader.skipReturningRange()
                if name.matches("lane") {
                    found.append((range, kind == .string))
                } else {
                    writer.name(string: name.text)
                    writer.raw(bytes[range])
                }
            }
            writer.endObject()
            try reader.end()
        } catch {
            return
        }
        guard let first = found.first else { return }
        body = writer.finish()
        if found.count > 1 {
            problems.append(
                RowProblem(
                    line: line.number, column: "lane", code: "parameter_doubled",
                    message: "lane stands there twice: which of the two is meant?"))
        }
        var value = JSONReader(Array(bytes[first.range]))
        if first.isText, let text = try? value.string(), !text.isEmpty {
            lane = text
        } else {
            problems.append(
                RowProblem(
                    line: line.number, column: "lane", code: "parameter_invalid_type",
                    message: "lane must be text, in quotes"))
        }
    }
}
