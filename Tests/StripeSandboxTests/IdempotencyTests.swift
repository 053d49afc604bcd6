import Settings
import Testing

@testable import StripeSandbox

/// What a key keeps, refuses and forgets.
@Suite struct IdempotencyTests {
    private static let day: Int64 = 86_400_000

    @Test(arguments: ["tok_visa", "tok_chargeDeclined", "tok_nope"])
    func `the first answer is given again, to the byte`(_ token: String) throws {
        let bench = Bench()
        for call in [Bench.charge, Bench.intent] {
            let first = call(bench)(token, "o", "k\(token)\(bench.sandbox.keys.count)", [])
            let key = try #require(first.header("Idempotency-Key"))
            #expect(first.header("Original-Request") == first.header("Request-Id"))
            #expect(first.header("Idempotent-Replayed") == nil)
            // What happens to the object afterwards does not change the saved answer.
            if let id = first["latest_charge.id"] { bench.post("/v1/charges/\(id)", [("description", "later")]) }
            bench.wait(milliseconds: 5_000)
            let again = call(bench)(token, "o", key, [])
            #expect(again.status == first.status && again.reply.body == first.reply.body)
            #expect(again.header("Idempotent-Replayed") == "true")
            #expect(again.header("Original-Request") == first.header("Request-Id"))
            #expect(again.header("Request-Id") != first.header("Request-Id"))
        }
    }

    @Test func `another order of the same parameters is the same request`() {
        let bench = Bench()
        let form = [("amount", "500"), ("currency", "usd"), ("source", "tok_visa")]
        let first = bench.post("/v1/charges", form, key: "k")
        #expect(bench.post("/v1/charges", form.reversed(), key: "k").reply.body == first.reply.body)
    }

    @Test func `a key belongs to its call and parameters`() throws {
        let bench = Bench()
        bench.charge(id: "o", key: "k")
        for other in [bench.charge(id: "o", key: "k", [("amount", "2000")]), bench.intent(id: "o", key: "k")] {
            #expect(other.status == 400 && other["error.type"] == "idempotency_error")
            #expect(other["error.code"] == nil && other["error.param"] == nil)
        }
        #expect(try bench.ledger("o") == ["succeeded"])
        #expect(bench.charge(key: String(repeating: "k", count: 256)).status == 400)
        #expect(bench.charge(key: String(repeating: "k", count: 255)).status == 200)
    }

    @Test func `what was not executed leaves the key free`() {
        let bench = Bench()
        #expect(bench.charge(key: "k", [("amount", "1")]).status == 400)
        bench.apiKey = "nokey"
        #expect(bench.charge(key: "k").status == 401)
        bench.apiKey = "sk_test_1234567890"
        for fault in ["status_429", "lock_timeout", "status_409", "status_500", "status_503", "html_502"] {
            bench.own("PUT", "/_sandbox/faults", #"[{"fault": "\#(fault)", "times": 1}]"#)
            #expect(bench.charge(key: "k").status != 200)
        }
        #expect(bench.charge(key: "k").header("Idempotent-Replayed") == nil)
        #expect(bench.sandbox.ledger.charged == 1)
    }

    @Test func `a key is in use until its answer has left`() throws {
        var settings = SandboxSettings()
        settings.latency = SandboxSettings.Latency(TimeSpan(milliseconds: 200))
        let bench = Bench(settings)
        let first = bench.charge(id: "o", key: "k")
        #expect(first.reply.delay == 200)
        bench.wait(milliseconds: 199)
        let early = bench.charge(id: "o", key: "k")
        #expect(early.status == 409 && early["error.code"] == "idempotency_key_in_use")
        #expect(early["error.type"] == "invalid_request_error")
        bench.wait(milliseconds: 1)
        #expect(bench.charge(id: "o", key: "k").reply.body == first.reply.body)
        #expect(try bench.ledger("o") == ["succeeded"])
    }

    @Test func `a key is forgotten 24 hours after its first use, on the movable clock`() throws {
        let bench = Bench()
        bench.charge(id: "o", key: "k")
        bench.own("POST", "/_sandbox/clock", #"{"advance": "23h"}"#)
        // Another use does not make it younger.
        #expect(bench.charge(id: "o", key: "k").header("Idempotent-Replayed") == "true")
        bench.wait(milliseconds: Self.day / 24 - 1)
        #expect(bench.charge(id: "o", key: "k").header("Idempotent-Replayed") == "true")
        bench.wait(milliseconds: 1)
        #expect(bench.charge(id: "o", key: "k").header("Idempotent-Replayed") == nil)
        #expect(try bench.ledger("o") == ["succeeded", "succeeded"])
        #expect(bench.sandbox.ledger.doubled == ["o"])
        #expect(bench.sandbox.keys.count == 1)
    }

    @Test func `many keys are forgotten in order`() {
        let bench = Bench()
        for number in 0..<200 {
            bench.charge(key: "k\(number)")
            bench.wait(milliseconds: Self.day / 100)
        }
        #expect(bench.sandbox.keys.count == 100)
        #expect(bench.charge(key: "k199").header("Idempotent-Replayed") == "true")
        #expect(bench.charge(key: "k99").header("Idempotent-Replayed") == nil)
    }

    @Test func `accounts have keys of their own, and GET has none`() throws {
        let bench = Bench()
        let form = [("amount", "500"), ("currency", "usd"), ("source", "tok_visa")]
        let ours = bench.post("/v1/charges", form, key: "k")
        let theirs = bench.post("/v1/charges", form, key: "k", account: "acct_1Other")
        #expect(ours.status == 200 && theirs.status == 200 && ours["id"] != theirs["id"])
        let id = try #require(theirs["id"])
        #expect(bench.get("/v1/charges/\(id)").status == 404)
        #expect(bench.get("/v1/charges/\(id)", account: "acct_1Other").header("Stripe-Account") == "acct_1Other")
        var read = SandboxRequest("GET", "/v1/charges/\(id)")
        read.idempotencyKey = "k"
        read.account = "acct_1Other"
        #expect(bench.send(read).status == 200 && bench.send(read).header("Idempotent-Replayed") == nil)
    }

    @Test func `without a key every request is new`() throws {
        let bench = Bench()
        bench.charge(id: "o")
        #expect(bench.charge(id: "o").header("Original-Request") == nil)
        #expect(try bench.ledger("o").count == 2)
    }
}

/// One-time tokens, on request.
@Suite struct SingleUseTests {
    private static func token(_ bench: Bench, _ number: String = "4242424242424242") throws -> String {
        let made = bench.post(
            "/v1/tokens",
            [
                ("card[number]", number), ("card[exp_month]", "12"), ("card[exp_year]", "2040"), ("card[cvc]", "123"),
            ])
        return try #require(made["id"])
    }

    private static func bench(_ policy: SandboxSettings.SingleUse) -> Bench {
        var settings = SandboxSettings()
        settings.singleUseTokens = policy
        return Bench(settings)
    }

    @Test(arguments: ["4242424242424242", "4000000000000002"])
    func `a charge spends its token, a refused one too`(_ number: String) throws {
        let bench = Self.bench(.made)
        for call in [Bench.charge, Bench.intent] {
            let token = try Self.token(bench, number)
            let status = number.hasSuffix("4242") ? 200 : 402
            #expect(call(bench)(token, nil, "\(token) 1", []).status == status)
            let second = call(bench)(token, nil, "\(token) 2", [])
            #expect(second.status == 400 && second["error.code"] == "token_already_used")
            #expect(call(bench)(token, nil, "\(token) 1", []).header("Idempotent-Replayed") == "true")
            #expect(bench.get("/v1/tokens/\(token)")["used"] == "true")
        }
    }

    @Test func `burning a token makes it useless`() throws {
        let bench = Self.bench(.made)
        let token = try Self.token(bench)
        let method = bench.post("/v1/payment_methods", [("type", "card"), ("card[token]", token)], key: "o/burn")
        #expect(method.status == 200 && method["card.last4"] == "4242")
        #expect(bench.intent(token)["error.code"] == "token_already_used")
        let late = bench.post("/v1/payment_methods", [("type", "card"), ("card[token]", token)], key: "p/burn")
        #expect(late["error.code"] == "token_already_used")
    }

    @Test func `two at once meet token_in_use`() throws {
        let bench = Self.bench(.made)
        let token = try Self.token(bench)
        bench.own("PUT", "/_sandbox/settings", #"{"latency": "1s"}"#)
        bench.charge(token, key: "1")
        #expect(bench.charge(token, key: "2")["error.code"] == "token_in_use")
        bench.wait(milliseconds: 1_000)
        #expect(bench.charge(token, key: "3")["error.code"] == "token_already_used")
    }

    @Test func `a refused request spends nothing`() throws {
        let bench = Self.bench(.made)
        let token = try Self.token(bench)
        #expect(bench.charge(token, [("amount", "1")]).status == 400)
        #expect(bench.charge(token).status == 200)
    }

    @Test func `named tokens stay reusable unless told otherwise`() throws {
        for (policy, second) in [(SandboxSettings.SingleUse.none, 200), (.made, 200), (.all, 400)] {
            let bench = Self.bench(policy)
            #expect(bench.charge().status == 200 && bench.charge().status == second)
        }
        let bench = Self.bench(.none)
        let token = try Self.token(bench)
        #expect(bench.charge(token).status == 200 && bench.charge(token).status == 200)
    }

    @Test func `a payment method pays once unless a customer keeps it`() throws {
        let bench = Self.bench(.made)
        func method() throws -> String {
            try #require(bench.post("/v1/payment_methods", [("type", "card"), ("card[token]", "tok_visa")])["id"])
        }
        let loose = try method()
        #expect(bench.intent(loose).status == 200 && bench.intent(loose).status == 400)
        let kept = try method()
        let customer = try #require(bench.post("/v1/customers", [("email", "a@example.com")])["id"])
        #expect(bench.post("/v1/payment_methods/\(kept)/attach", [("customer", customer)])["customer"] == customer)
        for _ in 0..<3 { #expect(bench.intent(kept, [("customer", customer)]).status == 200) }
    }
}
