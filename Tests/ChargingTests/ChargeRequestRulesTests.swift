import Testing

@testable import Charging

@Suite struct ChargeRequestRulesTests {
    @Test(arguments: [
        ("ammount", "amount"), ("Amount", "amount"), ("descripton", "description"), ("receiptEmail", "receipt_email"),
        ("email", "receipt_email"), ("source", "token"), ("payment_method", "token"), ("stripeToken", "token"),
        ("curency", "currency"), ("offsession", "off_session"), ("idempotency_key", "id"),
        (
            "statement_descriptor",
            "statement_descriptor_suffix"
        ), ("cutomer", "customer"), ("meta_data", "metadata"), ("tokne", "token"),
    ])
    func `a misspelt name is told the nearest`(name: String, known: String) {
        let problems = ChargeBodies.problems(ChargeBodies.json([name: "1"]))
        #expect(problems.map(\.code) == [.unknown])
        #expect(problems.first?.message == "\(name) is no field of a charge: did you mean \(known)?")
        #expect(problems.first?.pointer == "/\(name)")
    }

    @Test(arguments: ["shipping", "a/b", "z", "", "x", "X_trace", String(repeating: "n", count: 100), "日本語"])
    func `another unknown name is refused too`(name: String) {
        #expect(ChargeBodies.problems(ChargeBodies.json([name: "1"])).map(\.code) == [.unknown])
    }

    @Test(arguments: [
        "number", "card", "cvc", "cvv", "card_number", "cardNumber", "exp_month", "card[number]", "pk_token",
    ])
    func `raw card data is refused by name`(name: String) {
        let problems = ChargeBodies.problems(ChargeBodies.json([name: "\"4242424242424242\""]))
        #expect(problems.map(\.code) == [.cardNumber])
        #expect(problems.first?.message.contains("tokenize") == true)
    }

    @Test(arguments: ["4242424242424242", ChargeBodies.token, "sk_live_51H0abcDEF0123456789"])
    func `a name that is a secret is not repeated`(name: String) {
        for body in [
            ChargeBodies.json([name: "1"]), ChargeBodies.json(["metadata": "{\"\(name)\":\"[]\",\"b[\(name)]\":{}}"]),
        ] {
            let problems = ChargeBodies.problems(body)
            #expect(!problems.isEmpty)
            for problem in problems { #expect(!"\(problem) \(problem.field) \(problem.pointer)".contains(name)) }
        }
    }

    @Test(arguments: [
        (#"{"":"1"}"#, ["parameter_missing"]), (#"{"a[b]":"1"}"#, ["invalid_characters"]),
        (#"{"a]":"1"}"#, ["invalid_characters"]),
        (#"{"a\n":"1"}"#, ["invalid_characters"]), (#"{"chargeline_x":"1"}"#, ["parameter_reserved"]),
        (#"{"a":{}}"#, ["parameter_invalid_type"]), (#"{"a":["1"]}"#, ["parameter_invalid_type"]),
        (#"{"a":"4242 4242 4242 4242"}"#, ["card_number"]), (#"{"a":4242424242424242}"#, ["card_number"]),
        (#"{"a":"tok_1N3T00LkdIwHu7ixt44h1F8k"}"#, ["secret_in_text"]), (#"{"cvc":"123"}"#, ["card_number"]),
        (#"{"4242424242424242":"1"}"#, ["card_number"]), (#"{"a":"\u0001"}"#, ["invalid_characters"]),
        (#"{"a":"1","a":"1"}"#, ["parameter_doubled"]), (#"{"b":"1","a":"2","b":"3"}"#, ["parameter_doubled"]),
        (#"{"a":"line\nbreak\tand tab"}"#, []), (#"{"a":""}"#, []), (#"{"A":"1","a":"2"}"#, []), (#"{}"#, []),
        (#"{"é":"1","e\u0301":"2"}"#, []), (#"{"tok":"tok_visa"}"#, []),
    ])
    func `metadata`(metadata: String, codes: [String]) {
        let problems = ChargeBodies.problems(ChargeBodies.json(["metadata": metadata]))
        #expect(problems.map(\.code.rawValue) == codes)
        for problem in problems { #expect(problem.pointer.hasPrefix("/metadata/")) }
    }

    @Test func `metadata limits are characters and pairs`() {
        func metadata(_ pairs: [(String, String)]) -> [String] {
            let members = pairs.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
            return ChargeBodies.problems(ChargeBodies.json(["metadata": "{\(members)}"])).map(\.code.rawValue)
        }
        #expect(metadata([(String(repeating: "é", count: 40), "1")]) == [])
        #expect(metadata([(String(repeating: "é", count: 41), "1")]) == ["parameter_too_long"])
        #expect(metadata([("k", String(repeating: "日", count: 500))]) == [])
        #expect(metadata([("k", String(repeating: "日", count: 501))]) == ["parameter_too_long"])
        #expect(metadata((0..<48).map { ("k\($0)", "1") }) == [])
        #expect(metadata((0..<49).map { ("k\($0)", "1") }) == ["parameter_too_many"])
    }

    @Test func `a description may be as long as its flow allows`() {
        func faults(_ count: Int, _ flow: Flow) -> [String] {
            ChargeBodies.faults(
                ChargeBodies.json(["description": "\"\(String(repeating: "🐶", count: count))\""]), flow: flow)
        }
        #expect(faults(1_000, .paymentIntents) == [])
        #expect(faults(1_001, .paymentIntents) == ["description parameter_too_long"])
        #expect(faults(40_000, .charges) == [])
        #expect(faults(40_001, .charges) == ["description parameter_too_long"])
        #expect(ChargeBodies.faults(ChargeBodies.json(["description": #""a\nb\r\n\tc""#])) == [])
    }

    @Test(arguments: [
        ("PUPPIES", true), ("A", true), ("22 characters long, ok", true), ("Ärzte 7", true), ("DON#7 (2)", true),
        ("23 characters long, not", false), ("1234", false), ("  ", false), ("A*B", false), ("A<B", false),
        ("A>B", false),
        (#"A\\B"#, false), ("A'B", false), (#"A\"B"#, false), ("日本", false), ("A日", false), ("A\\u0007", false),
        ("A\\n", false),
    ])
    func `a statement's suffix`(suffix: String, isFine: Bool) {
        let faults = ChargeBodies.faults(ChargeBodies.json(["statement_descriptor_suffix": "\"\(suffix)\""]))
        #expect(faults.isEmpty == isFine)
    }

    @Test func `the charges API takes no comma in it`() {
        let body = ChargeBodies.json(["statement_descriptor_suffix": "\"A, B\""])
        #expect(ChargeBodies.faults(body) == [])
        #expect(ChargeBodies.faults(body, flow: .charges) == ["statement_descriptor_suffix invalid_characters"])
    }

    @Test(arguments: [
        ("buyer@example.com", true), ("a.b+c@sub.example.co.uk", true), ("käufer@exämple.de", true),
        ("o'neil@x.ie", true),
        ("buyer", false), ("@example.com", false), ("buyer@", false), ("buyer@localhost", false), ("a@b@c.de", false),
        ("a b@c.de", false), ("a@.de", false), ("a@de.", false), ("<a@b.de>", false), ("a@b.de,c@d.de", false),
        ("a@b.de\\n", false), (String(repeating: "a", count: 250) + "@b.de", false),
    ])
    func `an e-mail address`(email: String, isFine: Bool) {
        #expect(ChargeBodies.faults(ChargeBodies.json(["receipt_email": "\"\(email)\""])).isEmpty == isFine)
    }

    @Test func `what pays must fit the flow and the customer`() {
        func faults(_ token: String?, customer: String? = nil, flow: Flow, offSession: String? = nil) -> [String] {
            let token = token.map { "\"\($0)\"" }
            let customer = customer.map { "\"\($0)\"" }
            return ChargeBodies.faults(
                ChargeBodies.json(["token": token, "customer": customer, "off_session": offSession]), flow: flow)
        }
        for flow in Flow.allCases {
            #expect(faults(nil, customer: "cus_1", flow: flow) == [])
            #expect(faults("card_1MvoiELkdIwHu7ixOeFGbN9D", customer: "cus_1", flow: flow) == [])
            #expect(faults("card_1MvoiELkdIwHu7ixOeFGbN9D", flow: flow) == ["token parameters_exclusive"])
            #expect(faults("src_1MyDj2LkdIwHu7ixT3wYcGHt", flow: flow) == [])
            #expect(faults(nil, flow: flow) == ["token parameter_missing"])
            // A customer that is wrong by itself is one problem, not two.
            #expect(faults(nil, customer: "x", flow: flow) == ["customer parameter_invalid_format"])
        }
        #expect(faults("pm_card_visa", flow: .paymentIntents) == [])
        #expect(faults("pm_card_visa", flow: .charges) == ["token parameters_exclusive"])
        #expect(faults("tok_visa", flow: .paymentIntents, offSession: "true") == [])
        #expect(faults("tok_visa", flow: .charges, offSession: "true") == ["off_session parameters_exclusive"])
    }

    @Test(
        arguments: [
            ("\"a-1\"", nil, "a-1", []), ("\"a-1\"", "a-1", "a-1", []), (nil, "m-1", "m-1", []),
            ("null", "m-1", "m-1", []),
            ("\"a-1\"", "", "a-1", []), ("\"a-1\"", "m-1", "a-1", ["id id_mismatch"]),
            ("\"a-1\"", "m 1", "a-1", ["id id_mismatch"]),
            (nil, "m 1", nil, ["id invalid_characters"]),
            ("\"a b\"", "m-1", "m-1", ["id invalid_characters"]), (nil, "4242424242424242", nil, ["id card_number"]),
            ("7", "m-1", "m-1", ["id parameter_invalid_type"]),
        ] as [(String?, String?, String?, [String])])
    func `the id and the message's id`(id: String?, messageID: String?, told: String?, faults: [String]) {
        do {
            let request = try ChargeRequest(json: ChargeBodies.json(["id": id]), fallbackID: messageID, flow: .charges)
            #expect(request.id.text == told)
            #expect(faults.isEmpty)
        } catch {
            #expect(error.id?.text == told)
            #expect(error.problems.map { "\($0.field) \($0.code.rawValue)" } == faults)
        }
    }

    @Test(
        arguments: [
            ("", nil), ("{", nil), ("[]", nil), ("null", nil), ("\"a\"", nil), (#"{"id":"a-1""#, "a-1"),
            (#"{"id":"a-1"} x"#, "a-1"),
            (#"{"id":"a-1","amount":}"#, "a-1"), (#"{"id":"a-1","amount":1,}"#, "a-1"),
            ("{\"id\":\"a-1\",\"t\":\"\u{1}\"}", "a-1"),
            (#"{"id":"a-1","x_":"#, "a-1"), ("\u{FEFF}{}", nil), (#"{'id':'a'}"#, nil),
            (#"{"id":"a-1","description":"\ud800"}"#, "a-1"),
        ] as [(String, String?)])
    func `what is no JSON is one problem, with the id where one was read`(body: String, id: String?) {
        for messageID in [nil, "m-1"] {
            let problems = #expect(throws: ChargeRequestProblems.self) {
                try ChargeRequest(json: Array(body.utf8), fallbackID: messageID, flow: .paymentIntents)
            }
            #expect(problems?.problems.first?.code == .invalidJSON)
            #expect(problems?.id?.text == id ?? messageID)
        }
    }

    @Test func `a broken body that holds a card number says so`() {
        let faults = ChargeBodies.faults(Array(#"{"id":"a","number":"4242424242424242""#.utf8))
        #expect(faults == [" invalid_json", " card_number"] || faults.contains("number card_number"))
        #expect(ChargeBodies.faults(Array(#"{"n: 4242 4242 4242 4242"#.utf8)) == [" invalid_json", " card_number"])
    }
}
