import Charging
import Testing

@testable import Operator

/// Files of charges.
@Suite(.timeLimit(.minutes(30)))
struct FileBytesTests {
    @Test(arguments: RowFormat.allCases)
    func `rows`(format: RowFormat) async {
        let corpus =
            switch format {
            case .csv:
                [
                    "id,token,amount,currency,description,lane,metadata.order\nrow-1,\(Canary.token),1999,usd,\"a, \"\"b\"\"\",batch,7\n"
                        + "row-2,tok_visa,100,eur,,,\r\n",
                    "token,amount,currency,number\ntok_visa,1,usd,\(Canary.card)\n",
                ]
            case .jsonl:
                [
                    #"{"id":"row-1","token":"\#(Canary.token)","amount":1999,"currency":"usd","lane":"batch"}"# + "\n"
                        + #"{"id":"row-2","token":"tok_visa","amount":1,"currency":"jpy","metadata":{"a":"b"}}"#
                        + "\r\n"
                ]
            }
        await Fuzz.run("rows of \(format)", corpus) { bytes in
            let whole = Self.read([bytes], format)
            let pieces = stride(from: 0, to: bytes.count, by: 7).map { Array(bytes[$0..<min($0 + 7, bytes.count)]) }
            guard Self.read(pieces, format) == whole else { return "other rows when it comes in pieces" }
            return Canary.found(in: whole.filter { $0.hasPrefix("bad") }.joined())
        }
    }

    private static func read(_ pieces: [[UInt8]], _ format: RowFormat) -> [String] {
        let rules = RowRules(flow: .paymentIntents, lanes: ["checkout", "batch"], batch: "b")
        var reader = RowReader(format: format, rules: rules)
        var items: [String] = []
        for piece in pieces {
            reader.feed(piece)
            while let item = reader.next() { items.append(text(item)) }
        }
        reader.finish()
        while let item = reader.next() { items.append(text(item)) }
        return items
    }

    private static func text(_ item: RowItem) -> String {
        switch item {
        case .row(let row): "row \(row.line) \(String(decoding: row.request.json(), as: UTF8.self))"
        case .bad(let problems):
            "bad " + problems.map { "\($0.line) \($0.column) \($0.message)" }.joined(separator: "; ")
        }
    }
}
