internal import Charging

/// Reads and checks the rows of a file that comes in pieces, in either format.
struct RowReader: Sendable {
    private let rules: RowRules
    // One of the two.
    private var csv: CSVReader?
    private var lines: LineReader?
    private var columns: ChargeColumns?
    /// Whether nothing behind the last item can be read.
    private(set) var isBroken = false
    private var hasFinished = false

    init(format: RowFormat, rules: RowRules) {
        self.rules = rules
        switch format {
        case .csv: csv = CSVReader()
        case .jsonl: lines = LineReader()
        }
    }

    /// Takes the next piece of the file.
    mutating func feed(_ piece: some Sequence<UInt8>) {
        csv?.feed(piece)
        lines?.feed(piece)
    }

    /// Says that the file has ended.
    mutating func finish() {
        hasFinished = true
        csv?.finish()
        lines?.finish()
    }

    /// The next row, once it is complete.
    mutating func next() -> RowItem? {
        guard !isBroken else { return nil }
        if let line = lines?.next() { return item(of: line) }
        while let item = csv?.next() {
            switch item {
            case .problem(let problem):
                // Without its header row the rest of a file means nothing.
                isBroken = problem.isFatal || columns == nil
                return .bad([rowProblem(problem)])
            case .record(let record):
                if let columns { return row(of: record, columns) }
                do {
                    columns = try ChargeColumns(record, rules: rules)
                } catch {
                    isBroken = true
                    return .bad(error.problems)
                }
            }
        }
        if hasFinished, csv != nil, columns == nil {
            isBroken = true
            return .bad([
                RowProblem(
                    line: 1, code: "file_empty",
                    message: "the file is empty: its first line names the columns, such as id,token,amount,currency")
            ])
        }
        return nil
    }

    private func item(of line: LineReader.Line) -> RowItem {
        guard let bytes = line.bytes else {
            let problem = RowProblem(
                line: line.number, code: "row_too_long", message: "the line is longer than 256 KiB")
            return .bad([problem])
        }
        let charge = ChargeLine(line, bytes: bytes)
        return rules.row(
            of: ChargeDraft(json: charge.body, flow: rules.flow), lane: charge.lane, line: line.number,
            problems: charge.problems, columnName: { $0 })
    }

    private func row(of record: CSVRecord, _ columns: ChargeColumns) -> RowItem {
        guard record.count == columns.names.count else {
            let problem = RowProblem(
                line: record.line, code: "row_fields",
                message: "the row has \(record.count) fields where the header names \(columns.names.count) columns: "
                    + "a field with a comma in it needs quotes")
            return .bad([problem])
        }
        var draft = ChargeDraft(flow: rules.flow)
        var lane: String?
        var problems: [RowProblem] = []
        for index in 0..<record.count where !record.isEmpty(index) {
            guard let text = record.text(index) else {
                problems.append(
                    RowProblem(
                        line: record.line, column: columns.names[index], code: "invalid_characters",
                        message: "the field is not UTF-8 text, or holds a NUL: save the file as UTF-8"))
                continue
            }
            switch columns.columns[index] {
            case .lane: lane = text
            case .field(let name), .metadata(let name), .own(let name): draft.set(name, to: text)
            }
        }
        return rules.row(
            of: draft, lane: lane, line: record.line, problems: problems, columnName: columns.name(of:))
    }

    private func rowProblem(_ problem: CSVProblem) -> RowProblem {
        let names = columns?.names ?? []
        let column = names.indices.contains(problem.field - 1) ? names[problem.field - 1] : ""
        return RowProblem(line: problem.line, column: column, code: "invalid_csv", message: problem.message)
    }
}
