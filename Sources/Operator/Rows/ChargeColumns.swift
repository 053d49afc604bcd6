internal import Charging

/// What the columns of a CSV file mean, from its header row. Names may come in any order; which there are is
/// Charging's to say, and this file adds `lane` and writes `metadata.order` for Charging's `metadata[order]`.
struct ChargeColumns: Sendable, Equatable {
    /// What a column is.
    enum Column: Sendable, Equatable {
        /// A field of the charge, by Charging's name.
        case field(String)
        /// A pair of its metadata, by Charging's name.
        case metadata(String)
        case lane
        /// The sender's own (`x_…`).
        case own(String)
    }

    /// The names as they stand in the file.
    let names: [String]
    let columns: [Column]

    /// The columns of a header row.
    ///
    /// - Throws: every problem of the row.
    init(_ header: CSVRecord, rules: RowRules) throws(HeaderProblems) {
        if header.count == 1, let text = header.text(0), text.contains(";") || text.contains("\t") {
            throw HeaderProblems(problems: [
                RowProblem(
                    line: header.line, code: "invalid_csv",
                    message: "the columns are not parted by commas: save the file as CSV with commas")
            ])
        }
        var names: [String] = []
        var columns: [Column] = []
        var problems: [RowProblem] = []
        for index in 0..<header.count {
            let name = Self.trimmed(header.text(index) ?? "")
            let column = Self.column(named: name)
            if let problem = Self.problem(name, column, index, rules) {
                problems.append(
                    RowProblem(
                        line: header.line, column: Shown.word(name), code: problem.code, message: problem.message))
            } else if columns.contains(column) {
                problems.append(
                    RowProblem(
                        line: header.line, column: Shown.word(name), code: "parameter_doubled",
                        message: "the column \(Shown.word(name)) stands there twice: which of the two is meant?"))
            }
            names.append(name)
            columns.append(column)
        }
        if problems.isEmpty { problems = Self.missing(columns, header, rules) }
        guard problems.isEmpty else { throw HeaderProblems(problems: problems) }
        self.names = names
        self.columns = columns
    }

    /// The name in the file of a field that Charging names.
    func name(of field: String) -> String {
        for (name, column) in zip(names, columns) {
            switch column {
            case .field(field), .metadata(field), .own(field): return name
            default: continue
            }
        }
        return field
    }

    private static func column(named name: String) -> Column {
        if name == "lane" { return .lane }
        if name.hasPrefix("x_") { return .own(name) }
        if name.hasPrefix("metadata["), name.hasSuffix("]") { return .metadata(name) }
        if name.hasPrefix("metadata.") { return .metadata("metadata[\(name.dropFirst("metadata.".count))]") }
        return .field(name)
    }

    /// Charging's own word on the name: what it says when a field of that name is set.
    private static func problem(
        _ name: String, _ column: Column, _ index: Int, _ rules: RowRules
    ) -> (code: String, message: String)? {
        var draft = ChargeDraft(flow: rules.flow)
        switch column {
        case .lane, .own: return nil
        case .metadata(let field): draft.set(field, to: "value")
        case .field("metadata"):
            return ("parameter_unknown", "metadata has a column for each pair, such as metadata.order")
        case .field(""):
            return ("parameter_missing", "column \(index + 1) has no name: name it, or take it out")
        case .field(let field): draft.set(field, to: "")
        }
        guard let problem = draft.problems.first else { return nil }
        let hint = NearestWord.hint(for: name, among: ["lane"])
        if problem.code == .unknown, !hint.isEmpty {
            return (problem.code.rawValue, "\(Shown.word(name)) is no column of a charge\(hint)")
        }
        return (problem.code.rawValue, problem.message)
    }

    /// Columns without which no row can be right.
    private static func missing(_ columns: [Column], _ header: CSVRecord, _ rules: RowRules) -> [RowProblem] {
        func has(_ field: String) -> Bool { columns.contains(.field(field)) }
        func problem(_ column: String, _ message: String) -> RowProblem {
            RowProblem(line: header.line, column: column, code: "parameter_missing", message: message)
        }
        var problems: [RowProblem] = []
        if !has("id"), rules.batch == nil {
            problems.append(
                problem(
                    "id",
                    "there is no column id: add one, or send with --batch NAME, which names rows by their line"))
        }
        if !has("token"), !has("customer") {
            problems.append(problem("token", "there is no column token: add it, with the tok_… or pm_… id that pays"))
        }
        if !has("amount") {
            problems.append(
                problem("amount", "there is no column amount: add it, in minor units, such as 1999 for 19.99 usd"))
        }
        if !has("currency") {
            problems.append(problem("currency", "there is no column currency: add it, with three letters such as usd"))
        }
        return problems
    }

    private static func trimmed(_ name: String) -> String {
        var text = name[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// Everything that is wrong with a header row.
struct HeaderProblems: Error {
    let problems: [RowProblem]
}
