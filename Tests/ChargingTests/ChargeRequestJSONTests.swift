import Testing

@testable import Charging

@Suite struct ChargeRequestJSONTests {
    @Test func `reads every field`() throws {
        let body = """
            {"id": "order-1001", "token": "tok_visa", "amount": 1999, "currency": "USD", "description": "Two puppies",
             "metadata": {"order": "1001", "n": 7, "b": true, "f": 1.50, "none": null, "a": ""},
             "receipt_email": "buyer@example.com", "statement_descriptor_suffix": "PUPPIES", "customer": "cus_NffrFeUfNV2Hib",
             "capture": false, "off_session": true, "stripe_account": "acct_1032D82eZvKYlo2C",
             "not_after": "2026-01-02T03:04:05Z", "livemode": false, "x_trace": {"a": [1, 2]}, "x_": null}
            """
        let request = try ChargeRequest(json: Array(body.utf8), flow: .paymentIntents)
        let expected = ChargeRequest(
            id: try ChargeID(validating: "order-1001"), token: try CardToken(validating: "tok_visa"), amount: 1999,
            currency: try #require(Currency("usd")), description: "Two puppies",
            metadata: ["a": "", "b": "true", "f": "1.50", "n": "7", "order": "1001"], receiptEmail: "buyer@example.com",
            statementDescriptorSuffix: "PUPPIES", customer: "cus_NffrFeUfNV2Hib", capture: false, offSession: true,
            stripeAccount: "acct_1032D82eZvKYlo2C", notAfter: 1_767_323_045_000, livemode: false)
        #expect(request == expected)
        #expect(request.metadata.pairs.map(\.key) == ["a", "b", "f", "n", "order"])
        #expect(try ChargeRequest(json: request.json(), flow: .paymentIntents) == request)
    }

    @Test func `the canonical body is the least that reads back the same`() throws {
        let request = try ChargeRequest(json: ChargeBodies.json(), flow: .charges)
        let body = String(decoding: request.json(), as: UTF8.self)
        #expect(body == #"{"id":"a-1","token":"\#(ChargeBodies.token)","amount":1999,"currency":"usd"}"#)
        #expect(request.capture && !request.offSession && request.livemode == nil)
    }

    @Test func `null and empty text are absent`() throws {
        let body = ChargeBodies.json([
            "description": "\"\"", "metadata": "null", "receipt_email": "null", "customer": "\"\"", "capture": "null",
            "off_session": "null", "livemode": "null", "not_after": "\"\"", "stripe_account": "null",
            "statement_descriptor_suffix": "\"\"",
        ])
        #expect(
            try ChargeRequest(json: body, flow: .charges) == ChargeRequest(json: ChargeBodies.json(), flow: .charges))
    }

    // Amounts that shops really sent (19.99 rounded to 1998 or 2000 elsewhere), and what else is no plain integer.
    @Test(arguments: [
        ("19.99", "parameter_invalid_integer"), ("1999.8", "parameter_invalid_integer"),
        ("509.99999999999994", "parameter_invalid_integer"), ("7840.000000000001", "parameter_invalid_integer"),
        ("1e3", "parameter_invalid_integer"), ("2E3", "parameter_invalid_integer"),
        ("1999.0", "parameter_invalid_integer"),
        ("\"29_40\"", "parameter_invalid_integer"), ("\" 100\"", "parameter_invalid_integer"),
        ("\"1999\"", "parameter_invalid_integer"), ("9223372036854775808", "parameter_invalid_integer"),
        ("-9223372036854775809", "parameter_invalid_integer"), ("-0", "parameter_invalid_integer"),
        ("true", "parameter_invalid_integer"), ("[1999]", "parameter_invalid_integer"),
        ("{\"value\":1}", "parameter_invalid_integer"), ("\"\"", "parameter_invalid_integer"),
        ("0", "amount_too_small"), ("-1", "amount_too_small"), ("-9223372036854775808", "amount_too_small"),
        ("49", "amount_too_small"), ("1000000000000", "amount_too_large"), ("9223372036854775807", "amount_too_large"),
        ("4242424242424242", "amount_too_large"), ("null", "parameter_missing"),
        ("123456789012345678901234567890123456789012345678901234567890123456789", "parameter_invalid_integer"),
    ])
    func `no amount is guessed at`(amount: String, code: String) {
        let problems = ChargeBodies.problems(ChargeBodies.json(["amount": amount]))
        #expect(problems.map(\.code.rawValue) == [code])
        #expect(problems.first?.pointer == "/amount")
        #expect(problems.first?.message.hasPrefix("amount ") == true)
    }

    @Test(arguments: ["0100", "+100", "1_000", "0x64", ".5", "5.", "NaN", "Infinity", "1,999", "'100'", "--1"])
    func `what is no number in JSON is no JSON`(amount: String) {
        #expect(ChargeBodies.faults(ChargeBodies.json(["amount": amount])).first == " invalid_json")
    }

    @Test(
        arguments: [
            (("id", nil), ["id parameter_missing"]), (("id", "\"\""), ["id parameter_missing"]),
            (("id", "\"a b\""), ["id invalid_characters"]), (("id", "7"), ["id parameter_invalid_type"]),
            (("id", "\"4242424242424242\""), ["id card_number"]),
            (("id", "\"order-4242-4242-4242-4242\""), ["id card_number"]),
            (("id", "\"\(ChargeBodies.token)\""), ["id secret_in_text"]),
            (("token", nil), ["token parameter_missing"]), (("token", "null"), ["token parameter_missing"]),
            (("token", "\"\""), ["token parameter_missing"]),
            (("token", "4242424242424242"), ["token parameter_invalid_type"]),
            (("token", "\"4242 4242 4242 4242\""), ["token card_number"]),
            (("token", "\"card_1MvoiELkdIwHu7ixOeFGbN9D\""), ["token parameters_exclusive"]),
            (("currency", nil), ["currency parameter_missing"]),
            (("currency", "\"\""), ["currency parameter_invalid_format"]),
            (("currency", "\"zzz\""), ["currency parameter_invalid_format"]),
            (("currency", "840"), ["currency parameter_invalid_type"]),
            (("amount", nil), ["amount parameter_missing"]),
            (("description", "7"), ["description parameter_invalid_type"]),
            (("description", "\"a\\u0000b\""), ["description invalid_characters"]),
            (("description", "\"a\\u007fb\""), ["description invalid_characters"]),
            (("description", "\"card 4242 4242 4242 4242\""), ["description card_number"]),
            (("description", "\"sk_live_51H0abcDEF0123456789\""), ["description secret_in_text"]),
            (("receipt_email", "\"buyer\""), ["receipt_email parameter_invalid_format"]),
            (("receipt_email", "\"4242424242424242@example.com\""), ["receipt_email card_number"]),
            (("customer", "\"buyer-7\""), ["customer parameter_invalid_format"]),
            (("stripe_account", "\"acct_1\\r\\nX: y\""), ["stripe_account parameter_invalid_format"]),
            (("capture", "\"false\""), ["capture parameter_invalid_type"]),
            (("capture", "0"), ["capture parameter_invalid_type"]),
            (("off_session", "\"one_off\""), ["off_session parameter_invalid_type"]),
            (("livemode", "1"), ["livemode parameter_invalid_type"]),
            (("not_after", "\"tomorrow\""), ["not_after parameter_invalid_format"]),
            (("not_after", "\"2026-01-02T03:04:05\""), ["not_after parameter_invalid_format"]),
            (("not_after", "1767323045"), ["not_after parameter_invalid_type"]),
            (("metadata", "[]"), ["metadata parameter_invalid_type"]),
            (("metadata", "\"a\""), ["metadata parameter_invalid_type"]),
            (("x_note", "\"4242424242424242\""), ["x_note card_number"]),
            (("x_note", "4242424242424242"), ["x_note card_number"]),
        ] as [((String, String?), [String])])
    func `each fault is named`(change: (String, String?), faults: [String]) {
        let body = ChargeBodies.json([change.0: change.1])
        #expect(ChargeBodies.faults(body) == faults)
        for problem in ChargeBodies.problems(body) {
            #expect(problem.message.contains(problem.field))
            #expect(problem.pointer == "/" + problem.field)
            #expect(!problem.message.contains("4242"))
        }
    }

    @Test func `all problems are found in one reading, in order`() {
        let body = #"""
            {"id":"a b","amount":19.99,"currency":"zzz","descripton":"x","metadata":{"a[b]":"1","ok":"2","chargeline_id":"3"},
             "amount":5,"capture":"no","card":{"number":"4242424242424242"},"receipt_email":"x"}
            """#
        #expect(
            ChargeBodies.faults(Array(body.utf8)) == [
                "id invalid_characters", "amount parameter_invalid_integer", "currency parameter_invalid_format",
                "descripton parameter_unknown", "metadata[a[b]] invalid_characters",
                "metadata[chargeline_id] parameter_reserved",
                "amount parameter_doubled", "capture parameter_invalid_type", "card card_number",
                "receipt_email parameter_invalid_format", "token parameter_missing",
            ])
    }

    @Test func `a body of nothing but faults gives a bounded list`() throws {
        let names = (0..<5_000).map { "\"f\($0)\":1" }.joined(separator: ",")
        #expect(ChargeBodies.problems(Array("{\(names)}".utf8)).count == 64)
    }

    @Test(arguments: [
        "\"amount\":1999,\"amount\":1999", "\"amount\":null,\"amount\":1999", "\"\\u0061mount\":1,\"amount\":1999",
    ])
    func `a doubled field is refused, however it is spelled`(members: String) {
        let body = "{\"id\":\"a\",\"token\":\"tok_visa\",\"currency\":\"usd\",\(members)}"
        #expect(ChargeBodies.faults(Array(body.utf8)).contains("amount parameter_doubled"))
    }
}
