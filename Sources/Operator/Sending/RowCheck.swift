internal import Charging

/// What checking every row of a file came to.
struct RowCheck: Sendable {
    let format: RowFormat
    /// Rows that are right.
    private(set) var rows = 0
    /// Rows that are not.
    private(set) var badRows = 0
    private(set) var ids = IDTable()
    private(set) var sums = AmountSums()
    private(set) var lanes: [String: Int] = [:]

    /// Reads the whole of a file.
    ///
    /// - Parameters:
    ///   - onProblems: told of each row that is wrong.
    ///   - onProgress: told now and then how many bytes were read.
    init(
        _ file: RowFile, format: RowFormat?, rules: RowRules, onProblems: ([RowProblem]) -> Void,
        onProgress: (Int) -> Void
    ) throws(RowFileProblem) {
        let source = try RowSource(file, format: format, rules: rules)
        self.format = source.format
        while let item = try source.next() {
            switch item {
            case .row(let row):
                if let problem = add(row) {
                    badRows += 1
                    onProblems([problem])
                }
            case .bad(let problems):
                badRows += 1
                onProblems(problems)
            }
            if (rows + badRows) % 1024 == 0 { onProgress(source.bytesRead) }
        }
    }

    private mutating func add(_ row: SendRow) -> RowProblem? {
        if let before = ids.add(row.request.id.text, line: row.line) {
            return RowProblem(
                line: row.line, column: "id", code: "id_doubled",
                message: "the id stands on line \(before) too: two rows of one id are one charge")
        }
        rows += 1
        lanes[row.lane, default: 0] += 1
        sums.add(row.request.amount, row.request.currency)
        return nil
    }
}
