/// One thing that is wrong with a row: where, and how to mend it. It never holds what stood there.
public struct RowProblem: Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, from 1.
    public let line: Int
    /// The column, or the field of a JSON object; empty where the row as a whole is at fault.
    public let column: String
    /// A stable word for programs.
    public let code: String
    /// One sentence for people.
    public let message: String

    init(line: Int, column: String = "", code: String, message: String) {
        self.line = line
        self.column = column
        self.code = code
        self.message = message
    }

    /// One line: `line 17, amount: amount must be …`.
    public var description: String {
        column.isEmpty ? "line \(line): \(message)" : "line \(line), \(column): \(message)"
    }
}
