/// One record of a CSV file: its fields as they stood there, quotes resolved.
struct CSVRecord: Sendable, Equatable {
    /// The line of the file on which it begins, from 1. A quoted field may hold line breaks, so it may end on a later
    /// one.
    let line: Int
    private let bytes: [UInt8]
    private let ends: [Int]

    init(line: Int, bytes: [UInt8], ends: [Int]) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
    }

    /// How many fields it has; at least one.
    var count: Int { ends.count }

    /// The text of a field; nil for what is not UTF-8 or holds a NUL.
    func text(_ field: Int) -> String? {
        let start = field == 0 ? 0 : ends[field - 1]
        let slice = bytes[start..<ends[field]]
        guard !slice.contains(0) else { return nil }
        return String(validating: slice, as: UTF8.self)
    }

    /// Whether a field is empty.
    func isEmpty(_ field: Int) -> Bool {
        (field == 0 ? 0 : ends[field - 1]) == ends[field]
    }
}

/// Why a record of a CSV file cannot be read.
struct CSVProblem: Sendable, Equatable {
    /// Where it shows, from 1.
    let line: Int
    /// Which field of the record, from 1.
    let field: Int
    /// What is wrong and the mend; never a piece of the file.
    let message: String
    /// Whether nothing behind it can be read.
    let isFatal: Bool
}

/// What a reader of CSV hands out.
enum CSVItem: Sendable, Equatable {
    case record(CSVRecord)
    case problem(CSVProblem)
}
