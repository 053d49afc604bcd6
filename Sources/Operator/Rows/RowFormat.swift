/// How a file of charges is written.
public enum RowFormat: String, Sendable, CaseIterable {
    /// Comma-separated, with a header row.
    case csv
    /// A JSON object on each line.
    case jsonl

    /// By the file's name, or by what it begins with.
    static func of(name: String, beginning: [UInt8]) -> RowFormat {
        let lowered = name.lowercased()
        if lowered.hasSuffix(".csv") { return .csv }
        if [".jsonl", ".ndjson", ".json"].contains(where: lowered.hasSuffix) { return .jsonl }
        let text = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
        let first = text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D && $0 != 0x0A }
        return first == UInt8(ascii: "{") ? .jsonl : .csv
    }
}
