import JSONText
import Testing

@Suite struct `JSON strings` {
    private func read(_ bytes: [UInt8], limits: JSONLimits = .standard) throws -> String {
        var reader = JSONReader([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")], limits: limits)
        let text = try reader.string()
        try reader.end()
        return text
    }

    @Test(arguments: [
        (#"plain"#, "plain"), (#""#, ""), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#"\u0041\u00e9\u20AC"#, "Aé€"),
        (#"\ud83d\ude00"#, "😀"), (#"\uD83D\uDE00x"#, "😀x"), (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\u0000"#, "\0"),
        ("é€😀\u{7F}\u{2028}", "é€😀\u{7F}\u{2028}"), (#"\uFFFE\uffff"#, "\u{FFFE}\u{FFFF}"),
    ])
    func `resolves`(raw: String, text: String) throws {
        #expect(try read(Array(raw.utf8)) == text)
    }

    @Test(arguments: [
        (#"\ud83d"#, JSONError.Code.loneSurrogate), (#"\ude00"#, .loneSurrogate), (#"\ud83dx"#, .loneSurrogate),
        (#"\ud83d\n"#, .loneSurrogate), (#"\ud83d\ud83d"#, .loneSurrogate), (#"\ud83d\u0041"#, .loneSurrogate),
        (#"\x41"#, .invalidEscape), (#"\u12g4"#, .invalidEscape), (#"\U0041"#, .invalidEscape),
        (#"\u 041"#, .invalidEscape),
        ("a\nb", .controlCharacter), ("\0", .controlCharacter), ("\u{1F}", .controlCharacter),
    ])
    func `refuses`(raw: String, code: JSONError.Code) {
        #expect(#expect(throws: JSONError.self) { try read(Array(raw.utf8)) }?.code == code)
    }

    /// The ill-formed sequences that decoders most often let through.
    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
            [0xFF],
        ] as [[UInt8]])
    func `refuses bytes that are not UTF-8`(bytes: [UInt8]) {
        #expect(throws: JSONError(.invalidUTF8, at: 2)) { try read([0x61] + bytes) }
        var reader = JSONReader([UInt8(ascii: "\""), 0x61] + bytes)
        #expect(throws: JSONError.self) { try reader.skip() }
    }

    /// Every two-byte beginning and a sample of the longer ones, against the standard library's own check.
    @Test func `agrees with Swift on what UTF-8 is`() throws {
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x30)...0xFF {
                for tail in [[], [0x80], [0x80, 0xBF], [0xC0], [0x41, 0x80]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let known = second == 0x5C ? nil : String(validating: bytes, as: UTF8.self)
                    #expect((try? read(bytes)) == known, "\(bytes)")
                }
            }
        }
    }

    @Test func `a limit refuses NUL`() throws {
        #expect(try read(Array(#"a\u0000"#.utf8)) == "a\0")
        let limits = JSONLimits(allowsNUL: false)
        #expect(throws: JSONError(.refusedNUL, at: 2)) { try read(Array(#"a\u0000"#.utf8), limits: limits) }
        #expect(try read(Array(#"\u0001"#.utf8), limits: limits) == "\u{1}")
    }

    @Test func `a document cut anywhere is refused`() throws {
        let whole = Array(#"{"a":["\ud83d\ude00é€😀",-1.5e+3,true,false,null,{}],"b":{"c":"d"}}"#.utf8)
        var reader = JSONReader(whole)
        try reader.skip()
        try reader.end()
        for length in 0..<whole.count {
            var reader = JSONReader(Array(whole[..<length]))
            #expect(throws: JSONError.self, "first \(length) bytes") { try reader.skip() }
        }
    }

    @Test func `an error never quotes the text`() {
        let error = JSONError(.wrongKind, at: 12)
        #expect(error.description == "wrong kind at byte 12")
    }
}
