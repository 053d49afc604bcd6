import JSONText
import Testing

@Suite struct `JSON reader` {
    @Test func `reads a charge request`() throws {
        let text = """
            {"id": "order-1001", "amount": 1999, "capture": true, "customer": null, "x_note": {"a": [1, 2, {}]},
             "metadata": {"order": "1001", "\\u0063ity": "K\\u00f6ln \\ud83d\\ude00"}, "rate": 2.5}
            """
        var reader = JSONReader(Array(text.utf8))
        var metadata: [String: String] = [:]
        var seen: [String] = []
        try reader.beginObject()
        while let name = try reader.nextName() {
            seen.append(name.text)
            if name.matches("id") {
                #expect(try reader.string() == "order-1001")
            } else if name.matches("amount") {
                #expect(try reader.integer() == 1999)
            } else if name.matches("capture") {
                #expect(try reader.bool())
            } else if name.matches("customer") {
                #expect(try reader.null())
            } else if name.matches("metadata") {
                try reader.beginObject()
                while let key = try reader.nextName() { metadata[key.text] = try reader.string() }
            } else if name.matches("rate") {
                #expect(try reader.double() == 2.5)
            } else {
                let range = try reader.skipReturningRange()
                #expect(String(decoding: reader.bytes[range], as: UTF8.self) == #"{"a": [1, 2, {}]}"#)
            }
        }
        try reader.end()
        #expect(seen == ["id", "amount", "capture", "customer", "x_note", "metadata", "rate"])
        #expect(metadata == ["order": "1001", "city": "Köln 😀"])
    }

    @Test(arguments: [
        ("1999", 1999), ("0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ])
    func `takes a plain integer`(text: String, value: Int64) throws {
        var reader = JSONReader(Array(text.utf8))
        #expect(try reader.integer() == value)
        try reader.end()
    }

    @Test(arguments: [
        ("1999.0", JSONError.Code.notAnInteger), ("2e3", .notAnInteger), ("2E+3", .notAnInteger),
        ("-0", .notAnInteger), ("9223372036854775808", .numberTooBig), ("-9223372036854775809", .numberTooBig),
        ("18446744073709551617", .numberTooBig), ("\"1999\"", .wrongKind), ("true", .wrongKind), ("null", .wrongKind),
        ("-", .unexpectedEnd), ("-a", .invalidNumber), ("1.", .unexpectedEnd), ("1.e3", .invalidNumber),
        ("1e", .unexpectedEnd), ("+1", .unexpectedByte), (".5", .unexpectedByte), ("", .unexpectedEnd),
        ("00000000000000000000000000000000000000000000000000000000000000001", .trailingBytes),
        ("111111111111111111111111111111111111111111111111111111111111111111111111", .numberTooLong),
    ])
    func `refuses what only looks like an integer`(text: String, code: JSONError.Code) {
        var reader = JSONReader(Array(text.utf8))
        let error = #expect(throws: JSONError.self) {
            _ = try reader.integer()
            try reader.end()
        }
        #expect(error?.code == code)
    }

    @Test func `a refused value can be skipped`() throws {
        var reader = JSONReader(Array(#"{"amount": 19.99, "id": 7, "ok": true}"#.utf8))
        try reader.beginObject()
        _ = try reader.nextName()
        #expect(throws: JSONError(.notAnInteger, at: 11)) { _ = try reader.integer() }
        try reader.skip()
        _ = try reader.nextName()
        #expect(throws: JSONError(.wrongKind, at: 24)) { _ = try reader.string() }
        try reader.skip()
        #expect(try reader.nextName()?.matches("ok") == true)
        #expect(try reader.bool())
        #expect(try reader.nextName() == nil)
        try reader.end()
    }

    @Test func `names are compared after their escapes`() throws {
        var reader = JSONReader(Array(#"{"\u0061mount": 1, "amoun": 2, "x_1": 3, "\u0078_2": 4}"#.utf8))
        try reader.beginObject()
        var name = try #require(try reader.nextName())
        #expect(name.matches("amount") && !name.matches("Amount") && name.begins(with: "am"))
        try reader.skip()
        name = try #require(try reader.nextName())
        #expect(!name.matches("amount") && !name.begins(with: "amount"))
        try reader.skip()
        name = try #require(try reader.nextName())
        #expect(name.begins(with: "x_") && !name.matches("x_"))
        try reader.skip()
        name = try #require(try reader.nextName())
        #expect(name.begins(with: "x_") && name.matches("x_2"))
    }

    @Test func `calls out of order are errors and never traps`() {
        func failing(_ text: String, _ body: (inout JSONReader) throws -> Void) -> JSONError.Code? {
            var reader = JSONReader(Array(text.utf8))
            return #expect(throws: JSONError.self) { try body(&reader) }?.code
        }
        #expect(failing("{}") { _ = try $0.nextName() } == .outOfOrder)
        #expect(failing("[]") { _ = try $0.nextElement() } == .outOfOrder)
        #expect(
            failing("[]") {
                try $0.beginArray(); _ = try $0.nextName()
            } == .outOfOrder)
        #expect(
            failing("[1]") {
                try $0.beginArray(); _ = try $0.integer()
            } == .outOfOrder)
        #expect(
            failing(#"{"a":1}"#) {
                try $0.beginObject(); try $0.skip()
            } == .outOfOrder)
        #expect(
            failing(#"{"a":1}"#) {
                try $0.beginObject(); _ = try $0.nextName(); _ = try $0.nextName()
            } == .outOfOrder)
        #expect(failing("1") { try $0.end() } == .outOfOrder)
        #expect(
            failing("[1]") {
                try $0.beginArray(); try $0.end()
            } == .outOfOrder)
        #expect(
            failing("1 2") {
                try $0.skip(); try $0.skip()
            } == .outOfOrder)
    }

    @Test func `depth and size have limits`() throws {
        func skip(_ text: String, _ limits: JSONLimits = .standard) throws {
            var reader = JSONReader(Array(text.utf8), limits: limits)
            try reader.skip()
            try reader.end()
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        try skip(nested(64))
        #expect(throws: JSONError(.tooDeep, at: 64)) { try skip(nested(65)) }
        #expect(throws: JSONError(.tooDeep, at: 3)) { try skip(nested(4), JSONLimits(depth: 3)) }
        #expect(throws: JSONError(.tooDeep, at: 64)) { try skip(String(repeating: "[", count: 900_000)) }
        #expect(JSONLimits(depth: 1000).depth == 64)
        try skip("[1,2]", JSONLimits(bytes: 5))
        #expect(throws: JSONError(.tooLarge, at: 4)) { try skip("[1,2]", JSONLimits(bytes: 4)) }

        // Containers opened by the caller count as much as those passed by skip().
        var reader = JSONReader(Array("[[[]]]".utf8), limits: JSONLimits(depth: 2))
        try reader.beginArray()
        _ = try reader.nextElement()
        #expect(throws: JSONError(.tooDeep, at: 2)) { try reader.skip() }
    }
}
