internal import Charging
internal import JSONText

/// What `send` says on standard output: bad rows as they are found, and a summary at the end.
struct SendReport {
    private let console: Console
    private let isJSON: Bool
    private var hasBegun = false
    private var hasProblems = false

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// Writes the problems of a row. As JSON they are written piece by piece: a file may have a million of them.
    mutating func add(_ problems: [RowProblem], of file: RowFile) {
        guard isJSON else {
            for problem in problems { console.print(problem.description) }
            return
        }
        begin(file)
        for problem in problems {
            var writer = JSONWriter(reserving: 200)
            writer.beginObject()
            writer.field("line", problem.line)
            writer.field("column", problem.column)
            writer.field("code", problem.code)
            writer.field("message", problem.message)
            writer.endObject()
            console.write(Array((hasProblems ? "," : "").utf8) + writer.finish())
            hasProblems = true
        }
    }

    /// Writes the summary; nothing follows it.
    mutating func end(_ summary: SendSummary, of file: RowFile) {
        guard isJSON else {
            for line in summary.lines { console.print(line) }
            return
        }
        begin(file)
        // The object that was begun goes on: without its opening brace.
        console.write(Array("],".utf8) + summary.json.dropFirst())
        console.print("")
    }

    private mutating func begin(_ file: RowFile) {
        guard !hasBegun else { return }
        hasBegun = true
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("file", file.name)
        writer.name("problems")
        writer.beginArray()
        console.write(writer.finish())
    }
}
