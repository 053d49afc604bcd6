import Testing

@testable import StripeSandbox

/// What Stripe answers to wrong parameters, in both flows; none of it is kept under a key.
@Suite struct ValidationTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let change: [(String, String)]
        let code: String?
        let param: String?
        var removes: [String] = []

        var testDescription: String { "\(removes) \(change.map { "\($0)=\($1.prefix(20))" })" }
    }

    static func wrong(_ name: String, _ value: String, _ code: String?, _ param: String? = nil) -> Wrong {
        Wrong(change: [(name, value)], code: code, param: param ?? name)
    }

    static let both: [Wrong] = [
        Wrong(change: [], code: "parameter_missing", param: "amount", removes: ["amount"]),
        Wrong(change: [], code: "parameter_missing", param: "currency", removes: ["currency"]),
        wrong("amount", "19.99", "parameter_invalid_integer"), wrong("amount", "1999.8", "parameter_invalid_integer"),
        wrong("amount", "509.99999999999994", "parameter_invalid_integer"),
        wrong("amount", "1e3", "parameter_invalid_integer"), wrong("amount", "29_40", "parameter_invalid_integer"),
        wrong("amount", " 100", "parameter_invalid_integer"), wrong("amount", "0", "parameter_invalid_integer"),
        wrong("amount", "-1", "parameter_invalid_integer"),
        wrong("amount", "9223372036854775808", "parameter_invalid_integer"),
        wrong("amount", "5", "amount_too_small"), wrong("amount", "49", "amount_too_small"),
        wrong("amount", "100000000", "amount_too_large"),
        wrong("currency", "zzz", nil), wrong("currency", "us", nil),
        wrong("foo", "1", "parameter_unknown"), wrong("metadata[a][b]", "1", "parameter_unknown"),
        wrong("description[x]", "1", "parameter_unknown"),
        wrong("receipt_email", "nobody", "email_invalid"),
        wrong("statement_descriptor_suffix", "A*B", "invalid_characters"),
        wrong("statement_descriptor_suffix", "12345", nil),
        wrong("statement_descriptor_suffix", String(repeating: "A", count: 23), nil),
        wrong("metadata[\(String(repeating: "k", count: 41))]", "v", nil, "metadata"),
        wrong("metadata[k]", String(repeating: "v", count: 501), nil, "metadata"),
        Wrong(change: (0..<51).map { ("metadata[k\($0)]", "v") }, code: nil, param: "metadata"),
        wrong("expand[1]", "no.such.path", nil, "expand"),
        wrong("expand[1]", "latest_charge.balance_transaction.source.x.y", nil, "expand"),
    ]

    private func form(_ base: [(String, String)], _ wrong: Wrong) -> [(String, String)] {
        let names = Set(wrong.change.map(\.0) + wrong.removes)
        return base.filter { !names.contains($0.0) } + wrong.change
    }

    @Test(arguments: both)
    func `both flows refuse`(_ wrong: Wrong) {
        let bench = Bench()
        let older = form([("amount", "1999"), ("currency", "usd"), ("source", "tok_visa")], wrong)
        let newer = form(
            [
                ("amount", "1999"), ("currency", "usd"), ("confirm", "true"), ("payment_method_types[]", "card"),
                ("payment_method", "pm_card_visa"),
            ], wrong)
        for (path, form) in [("/v1/charges", older), ("/v1/payment_intents", newer)] {
            let seen = bench.post(path, form, key: "k" + path)
            #expect(seen.status == 400 && seen["error.type"] == "invalid_request_error")
            #expect(seen["error.code"] == wrong.code)
            #expect(seen["error.param"] == wrong.param)
            #expect(seen.header("Original-Request") == nil)
        }
        #expect(bench.sandbox.keys.count == 0 && bench.sandbox.ledger.lines.isEmpty)
    }

    @Test func `an empty required parameter`() {
        let seen = Bench().post("/v1/charges", [("amount", ""), ("currency", "usd"), ("source", "tok_visa")])
        #expect(seen["error.code"] == "parameter_invalid_empty" && seen["error.param"] == "amount")
        let unset = Bench().charge("tok_visa", [("description", " ")])
        #expect(unset.status == 200)
    }

    static let smallest: [(String, Int64)] = [
        ("usd", 50), ("gbp", 30), ("aed", 200), ("dkk", 250), ("nok", 300), ("hkd", 400), ("mxn", 1_000),
        ("czk", 1_500),
        ("huf", 17_500), ("jpy", 50),
    ]

    @Test(arguments: smallest)
    func `the smallest amount by currency`(_ currency: String, _ least: Int64) {
        let bench = Bench()
        func status(_ amount: Int64) -> Int {
            bench.charge("tok_visa", [("amount", String(amount)), ("currency", currency)]).status
        }
        #expect(status(least - 1) == 400 && status(least) == 200)
    }

    @Test(arguments: [
        ("kwd", "5124", 400), ("kwd", "5120", 200), ("isk", "150", 400), ("isk", "500", 200), ("ugx", "100001", 400),
        ("USD", "500", 200), ("afn", "1", 200),
    ])
    func `amounts of odd currencies`(_ currency: String, _ amount: String, _ status: Int) {
        #expect(Bench().charge("tok_visa", [("amount", amount), ("currency", currency)]).status == status)
    }

    @Test func `a large amount passes where the cap allows it`() {
        var settings = SandboxSettings()
        settings.largestAmount = 999_999_999_999
        #expect(Bench(settings).charge("tok_visa", [("amount", "999999999999")])["amount"] == "999999999999")
    }

    @Test func `the older flow's own rules`() {
        let bench = Bench()
        let neither = bench.post("/v1/charges", [("amount", "500"), ("currency", "usd")])
        #expect(neither["error.code"] == "parameter_missing")
        for (source, code) in [
            ("tok_nope", "resource_missing"), ("tok_visa (test mode)", "resource_missing"),
            ("src_nope", "resource_missing"), ("pm_card_visa", nil),
        ] {
            let seen = bench.charge(source)
            #expect(seen.status == 400 && seen["error.code"] == code && seen["error.param"] == "source")
        }
        #expect(bench.charge("tok_nope")["error.message"]?.hasPrefix("No such token") == true)
        #expect(bench.charge("tok_visa", [("description", String(repeating: "d", count: 40_001))]).status == 400)
        #expect(bench.charge("tok_visa", [("capture", "yes")])["error.param"] == "capture")
        #expect(bench.charge("tok_visa", [("customer", "cus_nope")])["error.param"] == "customer")
    }

    static let newerFlow: [([(String, String)], String)] = [
        ([("description", String(repeating: "d", count: 1_001))], "description"),
        ([("statement_descriptor", "SHOP")], "statement_descriptor"),
        ([("capture_method", "later")], "capture_method"),
        ([("confirm", "false")], "error_on_requires_action"),
        ([("confirm", "false"), ("error_on_requires_action", ""), ("off_session", "true")], "off_session"),
        ([("payment_method_types[0]", "sofa")], "payment_method_types"),
        ([("payment_method", "pm_card_visa")], "payment_method_data"),
        ([("payment_method_data[type]", "sepa")], "payment_method_data[type]"),
        ([("payment_method_data[card][token]", "tok_nope")], "payment_method_data[card][token]"),
        ([("payment_method_data[foo]", "1")], "payment_method_data[foo]"),
        ([("return_url", "back")], "return_url"),
        ([("customer", "cus_nope")], "customer"),
    ]

    @Test(arguments: newerFlow)
    func `the newer flow's own rules`(_ change: [(String, String)], _ param: String) {
        let seen = Bench().intent("tok_visa", change)
        #expect(seen.status == 400 && seen["error.param"] == param)
    }

    @Test func `a token is no payment method`() {
        let seen = Bench().post(
            "/v1/payment_intents",
            [
                ("amount", "500"), ("currency", "usd"), ("confirm", "true"), ("payment_method_types[]", "card"),
                ("payment_method", "tok_visa"),
            ])
        #expect(
            seen.status == 400 && seen["error.code"] == "resource_missing" && seen["error.param"] == "payment_method")
    }

    @Test func `without a return_url redirects are refused, and an intent is left behind`() throws {
        let bench = Bench()
        let form = [("amount", "500"), ("currency", "usd"), ("confirm", "true"), ("payment_method", "pm_card_visa")]
        let seen = bench.post("/v1/payment_intents", form, key: "k")
        #expect(seen.status == 400 && seen["error.param"] == "return_url")
        let left = try #require(seen["error.payment_intent.id"])
        #expect(bench.get("/v1/payment_intents/\(left)")["status"] == "requires_confirmation")
        #expect(bench.post("/v1/payment_intents", form, key: "k").header("Idempotent-Replayed") == "true")
        let never =
            form + [
                ("automatic_payment_methods[enabled]", "true"), ("automatic_payment_methods[allow_redirects]", "never"),
            ]
        #expect(bench.post("/v1/payment_intents", never)["status"] == "succeeded")
    }

    @Test func `keys, versions, accounts and addresses`() {
        let bench = Bench()
        for (header, status, code) in [
            (nil, 401, nil), ("Bearer nokey", 401, nil), ("Bearer pk_test_123456789", 401, "secret_key_required"),
            ("Bearer rk_test_readonly12345", 403, nil), ("Bearer rk_test_12345678", 200, nil),
            ("Basic c2tfdGVzdF8xOg==", 200, nil),
        ] as [(String?, Int, String?)] {
            var request = SandboxRequest("POST", "/v1/charges")
            request.body = Array("amount=500&currency=usd&source=tok_visa".utf8)
            request.authorization = header ?? "None"
            let seen = bench.send(request)
            #expect(seen.status == status && seen["error.code"] == code)
            #expect(seen.header("Request-Id")?.hasPrefix("req_") == true)
            #expect((seen.header("WWW-Authenticate") != nil) == (status == 401))
        }
        var request = SandboxRequest("GET", "/v1/balance")
        request.version = "2020-08-27"
        #expect(bench.send(request).header("Stripe-Version") == "2020-08-27")
        request.version = "tomorrow"
        #expect(bench.send(request).status == 400)
        #expect(bench.get("/v1/balance", account: "acct_foreign1")["error.code"] == "account_invalid")
        #expect(bench.get("/v1/nothing").status == 404 && bench.post("/v1/charges/x/refund").status == 404)
        #expect(bench.get("/v1/charges/ch_x")["error.param"] == "id")
        var json = SandboxRequest("POST", "/v1/charges")
        json.contentType = "application/json; charset=utf-8"
        json.body = Array(#"{"amount": 500}"#.utf8)
        #expect(bench.send(json).status == 400)
    }
}
