import Charging
import TestSupport
import Testing

@testable import Operator

@Suite struct RowReaderTests {
    static let rules = RowRules(flow: .paymentIntents, lanes: ["checkout", "batch"])

    static func items(_ text: String, _ format: RowFormat, batch: String? = nil) -> [RowItem] {
        var rules = rules
        rules.batch = batch
        var reader = RowReader(format: format, rules: rules)
        reader.feed(Array(text.utf8))
        reader.finish()
        var items: [RowItem] = []
        while let item = reader.next() { items.append(item) }
        return items
    }

    static func rows(_ items: [RowItem]) -> [SendRow] {
        items.compactMap { if case .row(let row) = $0 { row } else { nil } }
    }

    static func problems(_ items: [RowItem]) -> [RowProblem] {
        items.flatMap { item -> [RowProblem] in if case .bad(let problems) = item { problems } else { [] } }
    }

    @Test func `columns come in any order and mean the fields of a charge`() throws {
        let text = """
            currency,lane,amount,token,id,metadata.order,metadata.note,capture,x_mine,description,not_after
            usd,batch,1999,tok_visa,order-1,1001,,false,free,"Two puppies, one lead",2026-01-02T03:04:05Z
            jpy,,500,pm_card_visa,order-2,,,,,,

            """
        let rows = Self.rows(Self.items(text, .csv))
        try #require(rows.count == 2)
        let first = rows[0]
        #expect(first.line == 2 && first.lane == "batch")
        #expect(first.request.id.text == "order-1" && first.request.amount == 1999)
        #expect(first.request.token?.reveal() == "tok_visa" && first.request.description == "Two puppies, one lead")
        #expect(first.request.metadata.pairs.map { [$0.key, $0.value] } == [["order", "1001"]])
        #expect(!first.request.capture && first.request.notAfter == 1_767_323_045_000)
        #expect(rows[1].lane == "checkout" && rows[1].request.currency.code == "jpy" && rows[1].request.capture)
    }

    @Test func `each wrong row is told with its line, its column and the reason, and never the value`() {
        let secret = "tok_1" + String(repeating: "Q", count: 24)
        let text = """
            id,token,amount,currency,lane,metadata.order
            a,tok_visa,19.99,usd,batch,
            b,\(secret)!,1999,usd,batch,
            c,tok_visa,1999,usd,bach,
            d,tok_visa,1999,xxx,batch,4242424242424242
            e,4242424242424242,,usd,,
            f,tok_visa,1999,usd
            """
        let problems = Self.problems(Self.items(text, .csv))
        #expect(
            problems.map { "\($0.line) \($0.column) \($0.code)" }
                == [
                    "2 amount parameter_invalid_integer",
                    "3 token parameter_invalid_format",
                    "4 lane lane_unknown",
                    "5 currency parameter_invalid_format",
                    "5 metadata.order card_number",
                    "6 token card_number",
                    "6 amount parameter_missing",
                    "7  row_fields",
                ])
        #expect(problems.contains { $0.message.contains("did you mean batch?") })
        for problem in problems {
            #expect(!problem.description.contains("Q") && !problem.description.contains("4242"))
        }
    }

    @Test(arguments: [
        ("id,token,ammount,currency\n", ["ammount"], "did you mean amount?"),
        ("id,token,amount,currency,lanes\n", ["lanes"], "did you mean lane?"),
        ("id,token,amount,currency,colour\n", ["colour"], "no field of a charge"),
        ("id,token,amount,amount,currency\n", ["amount"], "twice"),
        ("id,token,amount,currency,metadata.chargeline_id\n", ["metadata.chargeline_id"], "are ours"),
        ("id,token,amount,currency,metadata\n", ["metadata"], "metadata.order"),
        ("id,token,amount,currency,card\n", ["card"], "card data"),
        ("id,token,amount,currency,\n", ["(empty)"], "column 5 has no name"),
        ("token,amount,currency\n", ["id"], "--batch NAME"),
        ("id,token\n", ["amount", "currency"], "minor units"),
        ("id;token;amount;currency\n", [""], "commas"),
        ("", [""], "the file is empty"),
    ])
    func `a header row is refused with the mend`(header: String, columns: [String], words: String) {
        let items = Self.items(header + "x,tok_visa,1,usd\n", .csv)
        let problems = header.isEmpty ? Self.problems(Self.items("", .csv)) : Self.problems(items)
        #expect(problems.map(\.column) == columns)
        #expect(problems.contains { $0.message.contains(words) }, "\(problems)")
        #expect(Self.rows(items).isEmpty)
    }

    @Test func `rows without an id are named by batch and line, the same at every reading`() {
        let text = "token,amount,currency\ntok_visa,100,usd\n\ntok_visa,200,usd\n"
        let ids = Self.rows(Self.items(text, .csv, batch: "gala-2026")).map(\.request.id.text)
        #expect(ids == ["gala-2026-2", "gala-2026-4"])
        #expect(ids == Self.rows(Self.items(text, .csv, batch: "gala-2026")).map(\.request.id.text))
    }

    @Test func `a row that has an id keeps it in a batch`() {
        let text = "id,token,amount,currency\nmine,tok_visa,100,usd\n,tok_visa,200,usd\n"
        #expect(Self.rows(Self.items(text, .csv, batch: "b")).map(\.request.id.text) == ["mine", "b-3"])
        let problems = Self.problems(Self.items(text, .csv))
        #expect(problems.map(\.line) == [3] && problems.first?.message.contains("--batch NAME") == true)
    }

    @Test func `JSON Lines carry the same charges, and a lane beside their fields`() throws {
        let text = """
            \u{FEFF}{"id": "a", "token": "tok_visa", "amount": 100, "currency": "usd", "metadata": {"k": "v"}}\r

            {"lane": "batch", "id": "b", "token": "tok_visa", "amount": 200, "currency": "eur"}
            {"id": "c", "token": "tok_visa", "amount": 2e3, "currency": "usd"}
            {"id": "d", "token": "tok_visa", "amount": 200, "currency": "usd", "lane": 5}
            {"id": "e", "token": "tok_visa", "amount": 200, "currency": "usd", "lane": "a", "lane": "b"}
            {"id": "f", "token": "tok_visa", "amount": 200, "currency": "usd", "amuont": 1}
            nonsense
            """
        let items = Self.items(text, .jsonl)
        let rows = Self.rows(items)
        try #require(rows.count == 2)
        #expect(rows.map(\.lane) == ["checkout", "batch"] && rows.map(\.line) == [1, 3])
        #expect(rows[0].request.metadata.pairs.map(\.value) == ["v"])
        let problems = Self.problems(items)
        #expect(Set(problems.map(\.line)) == [4, 5, 6, 7, 8])
        #expect(problems.contains { $0.line == 7 && $0.message.contains("did you mean amount?") })
    }

    @Test(arguments: [
        ("x.csv", "{", RowFormat.csv), ("X.JSONL", "id,", .jsonl), ("y.ndjson", "", .jsonl),
        ("-", " \n{\"id\"", .jsonl),
        ("-", "id,token", .csv), ("-", "\u{FEFF}{}", .jsonl), ("-", "", .csv),
    ])
    func `the format follows the name, then the content`(name: String, beginning: String, format: RowFormat) {
        #expect(RowFormat.of(name: name, beginning: Array(beginning.utf8)) == format)
    }

    @Test(arguments: 0..<200)
    func `any bytes are read to their end without a trap`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let words = [
            "id", "token", "amount", "currency", "lane", ",", ",", "\n", "\n", "\"", "{", "}", ":", "tok_visa", "usd",
            "100", "\u{0}", "\r\n", "null", "\"lane\"", "[", "]", "metadata.k", "\u{202E}", "-",
        ]
        let text = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
            words.randomElement(using: &generator) ?? ""
        }
        for format in RowFormat.allCases {
            let start = format == .csv && seed % 2 == 0 ? "id,token,amount,currency\n" : ""
            _ = Self.items(start + text.joined(), format, batch: seed % 3 == 0 ? "b" : nil)
        }
    }
}
