import TestSupport
import Testing

@testable import Operator

@Suite struct CSVReaderTests {
    @Test func `fields, quotes and line ends as RFC 4180 has them`() {
        let text = "id,amount\r\n\"a,1\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\nlast,5"
        let records = CSVText.fields(CSVText.read(text))
        #expect(records == [["id", "amount"], ["a,1", "say \"hi\""], ["two\r\nlines", ""], ["last", "5"]])
    }

    @Test func `a record's line is the one on which it begins, and empty lines count`() {
        let lines = CSVText.read("h\n\n\"a\nb\"\n\r\nc\n").compactMap { item -> Int? in
            if case .record(let record) = item { record.line } else { nil }
        }
        #expect(lines == [1, 3, 6])
    }

    @Test(arguments: [
        ("a,b\nx\"y,1\n2,3\n", 2, 1, "a quote stands inside"),
        ("a,b\n1,\"x\"y\n2,3\n", 2, 2, "behind a closing quote"),
        ("a,b\n1,2\rx\n2,3\n", 2, 2, "a carriage return stands alone"),
    ])
    func `a broken record is told and the next is read`(text: String, line: Int, field: Int, words: String) throws {
        let items = CSVText.read(text)
        try #require(items.count == 3)
        guard case .problem(let problem) = items[1], case .record(let last) = items[2] else {
            Issue.record("\(items)")
            return
        }
        #expect(problem.line == line && problem.field == field && !problem.isFatal)
        #expect(problem.message.contains(words))
        #expect(last.text(0) == "2" && last.line == 3)
    }

    @Test(arguments: [
        ("a\n1\n\"never closed\n2\n3\n", 3, "never closed"),
        ("a\n\"" + String(repeating: "x\n", count: 200_000), 2, "is a quote left open?"),
        ("a\n" + String(repeating: ",", count: 300_000), 2, "longer than 256 KiB"),
        ("\u{FFFE}", 1, ""),
    ])
    func `a file that cannot be read on ends with one problem`(text: String, line: Int, words: String) {
        let items = CSVText.read(text)
        guard case .problem(let problem)? = items.last else {
            // U+FFFE is an ordinary character in UTF-8.
            #expect(words.isEmpty && items.count == 1)
            return
        }
        #expect(problem.isFatal && problem.line == line && problem.message.contains(words))
        #expect(items.count { if case .problem = $0 { true } else { false } } == 1)
    }

    @Test func `UTF-16 is named`() {
        guard case .problem(let problem)? = CSVText.read([[0xFF, 0xFE, 0x69, 0]]).first else {
            Issue.record("not refused")
            return
        }
        #expect(problem.isFatal && problem.message.contains("UTF-8"))
    }

    @Test func `what is not UTF-8 or holds a NUL has no text`() {
        guard case .record(let record)? = CSVText.read([[0x61, 0x2C, 0xFF, 0x2C, 0x62, 0, 0x0A]]).first else {
            Issue.record("no record")
            return
        }
        #expect((0..<record.count).map(record.text) == ["a", nil, nil])
    }

    @Test func `an empty file, and one of line ends alone, have no records`() {
        #expect(CSVText.read("").isEmpty)
        #expect(CSVText.read("\n\r\n\n").isEmpty)
        #expect(CSVText.read("\u{FEFF}\n").isEmpty)
    }

    @Test(arguments: 0..<400)
    func `what is written is read back, in whatever pieces it comes`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let alphabet = ["a", "é", "\"", ",", "\r", "\n", "\r\n", " ", "😀", ";", "\t", "0", "\u{FEFF}", "\u{301}"]
        let records = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (0..<Int.random(in: 0...6, using: &generator))
                    .map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
            }
        }
        let bytes = CSVText.written(records, generator: &generator)
        let read = CSVText.fields(CSVText.read(bytes.pieces(&generator)))
        // A byte order mark that the text itself begins with is taken for one, as it must be.
        let marked = records.first?.first?.unicodeScalars.first == "\u{FEFF}"
        if !marked { #expect(read == records.map { $0.map { $0 } }) }
    }

    @Test(arguments: 0..<400)
    func `any bytes are read, the same in any pieces, and all lines are accounted for`(seed: Int) {
        var generator = SeededGenerator(seed: 1_000 + UInt64(seed))
        let alphabet = Array("\"\",,\r\n\n\nab;".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF, 0xC3]
        let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? 0
        }
        let whole = CSVText.read([bytes])
        #expect(CSVText.read(bytes.pieces(&generator)) == whole)
        #expect(CSVText.read(bytes.map { [$0] }) == whole)
        let lines = whole.map { item in
            switch item {
            case .record(let record): record.line
            case .problem(let problem): problem.line
            }
        }
        #expect(lines.allSatisfy { $0 >= 1 && $0 <= bytes.count { $0 == 0x0A } + 1 })
    }
}
