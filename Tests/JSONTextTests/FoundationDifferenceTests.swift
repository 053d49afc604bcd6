import Foundation
import JSONText
import Testing

/// Each place in which this reader is stricter than Foundation, pinned from both sides: a change on either shows here.
@Suite struct `Differences from Foundation` {
    private struct Amount: Decodable {
        let amount: Int
    }

    private func decoded(_ text: String) -> Int? {
        (try? JSONDecoder().decode(Amount.self, from: Data(text.utf8)))?.amount
    }

    private func read(_ text: String) throws -> [Int64] {
        var reader = JSONReader(Array(text.utf8))
        var amounts: [Int64] = []
        try reader.beginObject()
        while let name = try reader.nextName() {
            #expect(name.matches("amount"))
            amounts.append(try reader.integer())
        }
        try reader.end()
        return amounts
    }

    @Test(arguments: [("1999.0", 1999), ("2e3", 2000), ("2E+3", 2000), ("-0", 0), ("199900e-2", 1999)])
    func `an amount must be a plain integer`(number: String, taken: Int) {
        #expect(decoded("{\"amount\":\(number)}") == taken)
        #expect(throws: JSONError(.notAnInteger, at: 10)) { try read("{\"amount\":\(number)}") }
    }

    @Test func `doubled names are both handed out`() throws {
        #expect(decoded(#"{"amount":1,"amount":1999}"#) != nil)
        #expect(try read(#"{"amount":1,"\u0061mount":1999}"#) == [1, 1999])
    }

    @Test(arguments: ["{\"amount\":1,}", "[1,]", "[[],]", "{\"a\":{},\n}"])
    func `a trailing comma is refused`(text: String) {
        #expect(JSONTree.foundation(Array(text.utf8)) != nil)
        #expect(throws: JSONError.self) { try JSONTree.read(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0xEF, 0xBB, 0xBF, 0x31], [0xFE, 0xFF, 0x00, 0x31], [0xFF, 0xFE, 0x31, 0x00], [0x31, 0x00], [0x00, 0x31],
            [0x31, 0x00, 0x00, 0x00], [0x5B, 0x00, 0x5D, 0x00],
        ] as [[UInt8]])
    func `only UTF-8 without a mark is read`(bytes: [UInt8]) {
        #expect(JSONTree.foundation(bytes) != nil)
        #expect(throws: JSONError.self) { try JSONTree.read(bytes) }
    }

    @Test func `nesting beyond 64 is refused`() {
        let bytes = Array((String(repeating: "[", count: 65) + String(repeating: "]", count: 65)).utf8)
        #expect(JSONTree.foundation(bytes) != nil)
        #expect(throws: JSONError(.tooDeep, at: 64)) { try JSONTree.read(bytes) }
    }

    @Test func `a number of more than 64 characters is refused`() {
        let bytes = Array(("0." + String(repeating: "1", count: 63)).utf8)
        #expect(JSONTree.foundation(bytes) != nil)
        #expect(throws: JSONError(.numberTooLong, at: 0)) { try JSONTree.read(bytes) }
    }

    @Test func `a number beyond Double is refused only by who reads it`() throws {
        let bytes = Array(#"{"ignored":1e400,"amount":1}"#.utf8)
        #expect(JSONTree.foundation(bytes) == nil)
        var reader = JSONReader(bytes)
        try reader.beginObject()
        _ = try reader.nextName()
        #expect(throws: JSONError(.numberTooBig, at: 11)) { try reader.double() }
        try reader.skip()
        #expect(try reader.nextName()?.matches("amount") == true)
        #expect(try reader.integer() == 1)
    }

    @Test func `an integer beyond 64 bits is no integer`() {
        #expect(JSONTree.foundation(Array("9223372036854775808".utf8)) == .number(9_223_372_036_854_775_808))
        #expect(throws: JSONError.self) { try read(#"{"amount":9223372036854775808}"#) }
    }
}
