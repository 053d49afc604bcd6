import Settings
import Testing

@testable import StripeSandbox

/// Lists and search.
@Suite struct ListTests {
    @Test func `pages walk both ways and meet`() throws {
        let bench = Bench()
        let ids = try (0..<25).map { _ in
            bench.wait(milliseconds: 1_000)
            return try #require(bench.charge()["id"])
        }
        func page(_ query: [(String, String)]) -> ([String], Bool) {
            let seen = bench.get("/v1/charges", query)
            return (seen.json.elements("data").compactMap { $0["id"] }, seen["has_more"] == "true")
        }
        let newest = Array(ids.reversed())
        #expect(page([]) == (Array(newest[0..<10]), true))
        #expect(page([("starting_after", newest[9]), ("limit", "15")]) == (Array(newest[10..<25]), false))
        #expect(page([("starting_after", newest[24])]) == ([], false))
        #expect(page([("ending_before", newest[20]), ("limit", "5")]) == (Array(newest[15..<20]), true))
        #expect(page([("ending_before", newest[3])]) == (Array(newest[0..<3]), false))
        #expect(
            page([("limit", "100"), ("created[gte]", "1780000010"), ("created[lt]", "1780000013")]).0 == [
                ids[11], ids[10], ids[9],
            ])
        #expect(page([("created", "1780000005")]).0 == [ids[4]])
        #expect(bench.get("/v1/charges")["url"] == "/v1/charges" && bench.get("/v1/charges")["object"] == "list")
    }

    @Test(arguments: [
        ("limit", "0"), ("limit", "101"), ("limit", "x"), ("starting_after", "ch_nope"), ("created[after]", "1"),
        ("customer", "cus_nope"), ("expand[]", "balance_transaction"), ("payment_intent", "pi_nope"),
    ])
    func `wrong lists are refused`(_ name: String, _ value: String) {
        #expect(Bench().get("/v1/charges", [(name, value)]).status == 400)
    }

    @Test func `filters by intent and customer`() throws {
        let bench = Bench()
        let customer = try #require(bench.post("/v1/customers")["id"])
        let refused = bench.intent("tok_chargeDeclined", [("customer", customer)])
        let id = try #require(refused["error.payment_intent.id"])
        bench.post("/v1/payment_intents/\(id)/confirm", [("payment_method", "pm_card_visa")])
        bench.intent()
        let charges = bench.get("/v1/charges", [("payment_intent", id), ("expand[]", "data.payment_intent")])
        #expect(charges.json.elements("data").compactMap { $0["status"] } == ["succeeded", "failed"])
        #expect(charges["data.0.payment_intent.status"] == "succeeded")
        let intents = bench.get("/v1/payment_intents", [("customer", customer), ("expand[]", "data.latest_charge")])
        #expect(intents.json.elements("data").count == 1 && intents["data.0.latest_charge.paid"] == "true")
    }

    static let queries: [(String, Int)] = [
        ("metadata['chargeline_id']:'a'", 2), ("metadata[\"chargeline_id\"]:\"A\"", 2),
        ("metadata['chargeline_id']:'a' AND status:'succeeded'", 1), ("status:'failed'", 1),
        ("metadata['chargeline_id']:'a' -status:'failed'", 1), ("metadata['chargeline_id']:'nope'", 0),
        ("metadata['chargeline_id']:'a' OR metadata['chargeline_id']:'b'", 3), ("amount>1999", 1), ("amount>=1999", 4),
        ("amount<2000 AND currency:'usd'", 3), ("metadata['k']:null", 3), ("-metadata['k']:null", 1),
        ("metadata['k']:'it\\'s'", 1), ("metadata['k']~'it'", 1), ("payment_method_details.card.last4:'0002'", 1),
        ("payment_method_details.card.brand:'visa' and created>1", 4), ("amount:5000", 1), ("amount:'5000'", 1),
    ]

    @Test(arguments: queries)
    func `charges are found`(_ query: String, _ count: Int) {
        let bench = Bench()
        bench.charge(id: "a")
        bench.charge("tok_chargeDeclined", id: "a")
        bench.charge(id: "b", [("metadata[k]", "it's")])
        bench.charge(id: "c", [("amount", "5000")])
        let seen = bench.get("/v1/charges/search", [("query", query), ("expand[]", "total_count")])
        #expect(seen.status == 200 && seen["object"] == "search_result" && seen["total_count"] == String(count))
        #expect(seen.json.elements("data").count == count && seen["has_more"] == "false")
    }

    @Test(arguments: [
        "", "  ", "status", "status=", "status:'x", "colour:'red'", "metadata:'x'", "status['k']:'x'",
        "a:'1' AND b:'2' OR c:'3'", "metadata['a']:'1' AND metadata['b']:'2' OR metadata['c']:'3'", "AND",
    ])
    func `wrong queries are refused`(_ query: String) {
        let seen = Bench().get("/v1/charges/search", [("query", query)])
        #expect(seen.status == 400 && seen["error.type"] == "invalid_request_error")
    }

    @Test func `intents have fewer fields`() {
        let bench = Bench()
        bench.intent(id: "a")
        #expect(
            bench.get("/v1/payment_intents/search", [("query", "metadata['chargeline_id']:'a'")])["data.0.status"]
                == "succeeded")
        #expect(bench.get("/v1/payment_intents/search", [("query", "disputed:'true'")]).status == 400)
        #expect(bench.get("/v1/payment_intents/search")["error.code"] == "parameter_missing")
    }

    @Test func `search comes in pages`() throws {
        let bench = Bench()
        for _ in 0..<5 { bench.intent(id: "a") }
        let query = ("query", "metadata['chargeline_id']:'a'")
        let first = bench.get("/v1/payment_intents/search", [query, ("limit", "2")])
        let second = bench.get(
            "/v1/payment_intents/search", [query, ("limit", "3"), ("page", try #require(first["next_page"]))])
        let ids = first.json.elements("data") + second.json.elements("data")
        #expect(Set(ids.compactMap { $0["id"] }).count == 5)
        #expect(first["has_more"] == "true" && second["has_more"] == "false" && second["next_page"] == nil)
        #expect(bench.get("/v1/payment_intents/search", [query, ("page", "x")]).status == 400)
    }

    @Test func `search lags behind, reads do not`() throws {
        var settings = SandboxSettings()
        settings.searchLag = .seconds(60)
        let bench = Bench(settings)
        let id = try #require(bench.intent(id: "a")["id"])
        func hits() -> Int {
            bench.get("/v1/payment_intents/search", [("query", "metadata['chargeline_id']:'a'")]).json.elements("data")
                .count
        }
        #expect(hits() == 0 && bench.get("/v1/payment_intents/\(id)").status == 200)
        #expect(bench.get("/v1/payment_intents").json.elements("data").count == 1)
        bench.wait(milliseconds: 59_999)
        #expect(hits() == 0)
        bench.wait(milliseconds: 1)
        #expect(hits() == 1)
        bench.intent(id: "a")
        bench.own("POST", "/_sandbox/clock", #"{"advance": "1m"}"#)
        #expect(hits() == 2)
    }
}
