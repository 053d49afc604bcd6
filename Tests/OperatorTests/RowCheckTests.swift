import Charging
import TestSupport
import Testing

@testable import Operator

@Suite struct RowCheckTests {
    static func check(
        _ path: String, batch: String? = nil, format: RowFormat? = nil
    ) throws -> (check: RowCheck, problems: [RowProblem]) {
        var rules = RowReaderTests.rules
        rules.batch = batch
        var problems: [RowProblem] = []
        let check = try RowCheck(
            RowFile(path: path, environment: [:]), format: format, rules: rules, onProblems: { problems += $0 },
            onProgress: { _ in })
        return (check, problems)
    }

    @Test func `a file is checked to its end, with what it adds up to`() throws {
        let path = try temporaryDirectory("rows") + "/charges.csv"
        var text = "id,token,amount,currency,lane\n"
        for number in 0..<20_000 {
            text += "o-\(number),tok_visa,\(100 + number % 50),\(number % 4 == 0 ? "jpy" : "usd"),batch\n"
        }
        try write(text + "o-7,tok_visa,100,usd,batch\n", to: path)
        let (check, problems) = try Self.check(path)
        #expect(check.rows == 20_000 && check.badRows == 1 && check.ids.count == 20_000)
        #expect(check.lanes == ["batch": 20_000] && check.format == .csv)
        #expect(
            check.sums.sorted.map(\.currency) == ["jpy", "usd"] && check.sums.sorted.map(\.count) == [5000, 15_000])
        #expect(problems.map(\.line) == [20_002] && problems.first?.message.contains("line 9 too") == true)
    }

    @Test func `a file is read twice the same, and a change is noticed`() throws {
        let path = try temporaryDirectory("rows") + "/charges.csv"
        try write("token,amount,currency\ntok_visa,100,usd\ntok_visa,200,usd\n", to: path)
        let file = try RowFile(path: path, environment: [:])
        var rules = RowReaderTests.rules
        rules.batch = "b"
        for _ in 0..<2 {
            let source = try RowSource(file, format: nil, rules: rules)
            var ids: [String] = []
            while let item = try source.next() {
                if case .row(let row) = item { ids.append(row.request.id.text) }
            }
            #expect(ids == ["b-2", "b-3"])
        }
        #expect(file.isUnchanged)
        try write("token,amount,currency\ntok_visa,100,usd\n", to: path)
        #expect(!file.isUnchanged)
    }

    @Test func `what is no file is refused in the system's words`() throws {
        let folder = try temporaryDirectory("rows")
        let missing = #expect(throws: RowFileProblem.self) { _ = try Self.check(folder + "/none.csv") }
        #expect(missing?.description.hasSuffix("none.csv: No such file or directory") == true)
        let wrong = #expect(throws: RowFileProblem.self) { _ = try Self.check(folder) }
        #expect(wrong?.reason == "it is a folder")
    }
}
