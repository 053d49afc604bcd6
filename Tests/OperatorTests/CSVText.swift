import TestSupport

@testable import Operator

/// Writes and reads CSV the other way round, for the tests of the reader.
enum CSVText {
    /// RFC 4180: what must be quoted is quoted, other fields by chance, since both mean the same.
    static func written(_ records: [[String]], generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = Bool.random(using: &generator) ? [0xEF, 0xBB, 0xBF] : []
        for (index, record) in records.enumerated() {
            for (place, field) in record.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                // By bytes: as characters, CR LF is one, and a quote with an accent is no quote.
                let mustQuote = field.utf8.contains { "\",\r\n".utf8.contains($0) }
                let isAloneAndEmpty = record.count == 1 && field.isEmpty
                if mustQuote || isAloneAndEmpty || Bool.random(using: &generator) {
                    bytes.append(UInt8(ascii: "\""))
                    for byte in field.utf8 { bytes += byte == UInt8(ascii: "\"") ? [byte, byte] : [byte] }
                    bytes.append(UInt8(ascii: "\""))
                } else {
                    bytes += field.utf8
                }
            }
            let isLast = index == records.count - 1
            if !isLast || Bool.random(using: &generator) {
                bytes += Bool.random(using: &generator) ? Array("\r\n".utf8) : Array("\n".utf8)
            }
        }
        return bytes
    }

    /// Everything a reader says about bytes that come in these pieces.
    static func read(_ pieces: [[UInt8]]) -> [CSVItem] {
        var reader = CSVReader()
        var items: [CSVItem] = []
        for piece in pieces {
            reader.feed(piece)
            while let item = reader.next() { items.append(item) }
        }
        reader.finish()
        while let item = reader.next() { items.append(item) }
        return items
    }

    /// The fields of records; nil where there is a problem.
    static func fields(_ items: [CSVItem]) -> [[String?]]? {
        var records: [[String?]] = []
        for item in items {
            guard case .record(let record) = item else { return nil }
            records.append((0..<record.count).map(record.text))
        }
        return records
    }

    /// What a reader says about a text.
    static func read(_ text: String) -> [CSVItem] { read([Array(text.utf8)]) }
}
