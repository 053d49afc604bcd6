import JSONText
import Testing

@Suite struct `JSON writer` {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    @Test func `writes a result`() {
        let missing: String? = nil
        let text = written { json in
            json.beginObject()
            json.field("version", 1)
            json.field("id", "order-1001")
            json.field("final", true)
            json.field("amount", Int64(1999))
            json.field("customer", missing)
            json.fieldIfPresent("caller", missing)
            json.fieldIfPresent("lane", "checkout")
            json.field("metadata", sorted: ["b": "2", "a": "1"])
            json.name("list")
            json.beginArray()
            json.value(1)
            json.beginObject()
            json.endObject()
            json.value("x")
            json.endArray()
            json.field("raw", raw: Array("[1]".utf8))
            json.field("rate", 0.5)
            json.field("at", time: 1_767_323_045_678)
            json.endObject()
        }
        #expect(
            text == #"{"version":1,"id":"order-1001","final":true,"amount":1999,"customer":null,"lane":"checkout","#
                + #""metadata":{"a":"1","b":"2"},"list":[1,{},"x"],"raw":[1],"rate":0.5,"#
                + #""at":"2026-01-02T03:04:05.678Z"}"#
        )
    }

    @Test(arguments: [
        ("", ""), ("plain é€😀", "plain é€😀"), ("\"\\/", #"\"\\/"#), ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#),
        ("\0\u{1}\u{1F}\u{7F}", "\\u0000\\u0001\\u001f\u{7F}"), ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
        ("\u{2027}\u{202A}", "\u{2027}\u{202A}"), ("\r\n", #"\r\n"#), ("e\u{301}", "e\u{301}"),
    ])
    func `escapes`(text: String, raw: String) throws {
        let json = written { $0.value(text) }
        #expect(json == "\"\(raw)\"")
        var reader = JSONReader(Array(json.utf8))
        #expect(try reader.string() == text)
    }

    @Test(arguments: [0, 1, -1, 9, 10, -10, 1999, Int64.max, Int64.min])
    func `integers read back`(number: Int64) throws {
        let json = written { $0.value(number) }
        #expect(json == String(number))
    }

    @Test func `what JSON has not is null`() {
        #expect(written { $0.value(Double.nan) } == "null")
        #expect(written { $0.value(-Double.infinity) } == "null")
        #expect(written { $0.value(1e300) } == "1e+300")
    }

    @Test func `can be used again`() {
        var writer = JSONWriter()
        writer.value("first")
        writer.reset()
        writer.beginArray()
        writer.value(2)
        writer.endArray()
        #expect(writer.count == 3)
        #expect(writer.finish() == Array("[2]".utf8))
    }
}
