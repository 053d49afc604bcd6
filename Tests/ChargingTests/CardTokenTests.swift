import Testing

@testable import Charging

@Suite struct CardTokenTests {
    @Test(arguments: [
        ("tok_visa", CardToken.Kind.token), ("tok_visa_chargeDeclinedStolenCard", .token),
        ("tok_1N3T00LkdIwHu7ixt44h1F8k", .token), ("pm_card_visa", .paymentMethod),
        ("pm_1MqLiJLkdIwHu7ixUEgbFdYF", .paymentMethod), ("src_1MyDj2LkdIwHu7ixT3wYcGHt", .source),
        ("card_1MvoiELkdIwHu7ixOeFGbN9D", .card),
    ])
    func `takes Stripe's ids`(text: String, kind: CardToken.Kind) throws {
        let token = try CardToken(validating: text)
        #expect(token.kind == kind)
        #expect(token.reveal() == text)
    }

    @Test(arguments: [
        ("", FieldProblem.Code.missing), ("tok_", .invalidFormat), ("tok_visa (test mode)", .invalidFormat),
        (" tok_visa", .invalidFormat), ("tok_visa\n", .invalidFormat), ("visa", .invalidFormat),
        ("cus_NffrFeUfNV2Hib", .invalidFormat), ("ch_3MmlLrLkdIwHu7ix0snN0B15", .invalidFormat),
        ("TOK_visa", .invalidFormat), ("tok_" + String(repeating: "a", count: 300), .invalidFormat),
        ("sk_test_4eC39HqLyjWDarjtT1zdp7dc", .invalidFormat), ("4242424242424242", .cardNumber),
        ("4242 4242 4242 4242", .cardNumber), ("4242-4242-4242-4242", .cardNumber),
        ("tok_4242424242424242", .cardNumber),
        ("1234567890123", .cardNumber), ("378282246310005", .cardNumber), ("6205500000000000004", .cardNumber),
        ("42424242424242424242424242", .cardNumber), ("4242\u{A0}4242\u{A0}4242\u{A0}4242", .cardNumber),
    ])
    func `refuses the rest without repeating it`(text: String, code: FieldProblem.Code) {
        let problem = #expect(throws: FieldProblem.self) { try CardToken(validating: text) }
        #expect(problem?.code == code)
        #expect(problem?.field == "token")
        if text.count > 5 { #expect(problem?.message.contains(text) == false) }
    }

    @Test(arguments: [
        ("tok_1N3T00LkdIwHu7ixt44h1F8k", true), ("tok_18QcAA2eZvKYlo2CyzABCDEF", true),
        ("tok_1234567890abcdefghij", true), ("tok_1234567890abcdefghi", false), ("tok_visa", false),
        ("tok_chargeDeclinedInsufficientFunds", false), ("tok_visa_chargeDeclinedLostCard", false),
        ("pm_1MqLiJLkdIwHu7ixUEgbFdYF", false),
    ])
    func `knows a one-time token by its shape`(text: String, isOneTime: Bool) throws {
        #expect(try CardToken(validating: text).isOneTime == isOneTime)
    }

    @Test(
        arguments: [
            ("tok_1N3T00LkdIwHu7ixt44h1F8k", nil, false), ("tok_visa", nil, true), ("pm_card_visa", nil, true),
            ("pm_1MqLiJLkdIwHu7ixUEgbFdYF", nil, false), ("pm_1MqLiJLkdIwHu7ixUEgbFdYF", "cus_1", true),
            ("src_1MyDj2LkdIwHu7ixT3wYcGHt", nil, true), ("card_1MvoiELkdIwHu7ixOeFGbN9D", "cus_1", true),
        ] as [(String, String?, Bool)])
    func `knows what may pay again`(text: String, customer: String?, isReusable: Bool) throws {
        #expect(try CardToken(validating: text).isReusable(customer: customer) == isReusable)
    }

    @Test func `cannot be printed, alone or inside a request`() throws {
        let text = "tok_1N3T00LkdIwHu7ixt44h1F8k"
        let token = try CardToken(validating: text)
        let id = try ChargeID(validating: "a")
        let request = ChargeRequest(id: id, token: token, amount: 100, currency: try #require(Currency("usd")))
        var dumped = ""
        dump(request, to: &dumped)
        dump(token, to: &dumped)
        dump([token: 1], to: &dumped)
        let printed = [
            "\(token)", String(reflecting: token), String(describing: request), String(reflecting: [request]), dumped,
            "\(Optional(token) as Any)", "\(Mirror(reflecting: token).children.map { "\($0)" })",
        ]
        for text in printed { #expect(!text.contains("1N3T00"), "\(text)") }
    }
}
