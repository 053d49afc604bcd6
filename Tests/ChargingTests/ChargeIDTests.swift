import Testing

@testable import Charging

@Suite struct ChargeIDTests {
    @Test(arguments: ["a", "order-1001", "shop:2026.01_02-7", "-", ".", String(repeating: "x", count: 200)])
    func `takes what fits`(text: String) throws {
        #expect(try ChargeID(validating: text).text == text)
    }

    @Test(arguments: [
        ("", FieldProblem.Code.missing), (String(repeating: "x", count: 201), .tooLong), ("a b", .invalidCharacters),
        ("a/cancel", .invalidCharacters), ("ä", .invalidCharacters), ("a\n", .invalidCharacters),
        ("a\u{0}", .invalidCharacters), ("a+b", .invalidCharacters), ("'", .invalidCharacters),
    ])
    func `refuses the rest, naming the field`(text: String, code: FieldProblem.Code) {
        let problem = #expect(throws: FieldProblem.self) { try ChargeID(validating: text) }
        #expect(problem?.code == code)
        #expect(problem?.pointer == "/id")
    }
}

@Suite struct DerivedIDTests {
    // Each is `printf 'caller\ntext' | sha256sum | cut -c 1-40`. Frozen: a changed id would charge a resent request
    // twice.
    @Test(arguments: [
        ("shop", "8f14e45f", "ik_71777c40b2767e805ecd264727a8f067a615b3d6"),
        ("", "a", "ik_7361a6f4b374745deaf896ac72887d55e04107d1"),
        ("shop", "", "ik_0f94d09be3a83267368f2c71408d7e0342f6c7be"),
        ("a\nb", "c", "ik_ea7fb08b7a2dc4619ffb7c7bb38d95a2047935fa"),
        ("shop", "ключ 1", "ik_6e00280ef7be00056a13819fbf58b0cae430b40c"),
    ])
    func `from an idempotency key`(caller: String, key: String, id: String) {
        #expect(DerivedID.fromIdempotencyKey(caller: caller, key: key).text == id)
    }

    @Test func `from a one-time token, never the same as from a key`() throws {
        let token = try CardToken(validating: "tok_1N3T00LkdIwHu7ixt44h1F8k")
        #expect(token.isOneTime)
        let id = DerivedID.fromOneTimeToken(caller: "shop", token: token)
        #expect(id.text == "tk_08f2ffc1032ce6194a9f777719e6db02b77176a8")
        #expect(
            DerivedID.fromIdempotencyKey(caller: "shop", key: token.reveal()).text.dropFirst(3) == id.text.dropFirst(3))
        #expect(!id.text.contains("tok_"))
    }

    @Test func `a new id is new`() throws {
        var generator = SystemRandomNumberGenerator()
        let ids = Set((0..<1_000).map { _ in DerivedID.random(using: &generator).text })
        #expect(ids.count == 1_000)
        for id in ids {
            #expect(id.hasPrefix("cl_") && id.utf8.count == 27)
            _ = try ChargeID(validating: id)
        }
    }

    @Test func `no derived id is taken for a card number`() {
        let taken = (0..<20_000).filter { number in
            ChargeRules.id(DerivedID.fromIdempotencyKey(caller: "c", key: "\(number)")) != nil
        }
        #expect(taken.isEmpty)
    }
}
