import Settings
import Testing

@testable import StripeSandbox

/// Each fault: what the client sees, whether money moved, and what the next try with the same key gets.
@Suite struct FaultTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        let fault: Fault.Kind
        /// 0 where there is no answer.
        let status: Int
        let delivery: SandboxReply.Delivery
        let charged: Bool
        /// The next try: its status, and whether it is a replay.
        let next: (Int, Bool)
        var testDescription: String { fault.rawValue }
    }

    static let table: [Expected] = [
        Expected(fault: .status401, status: 401, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .status429, status: 429, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .lockTimeout, status: 429, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .status409, status: 409, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .status500, status: 500, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .status500Stored, status: 500, delivery: .answer, charged: false, next: (500, true)),
        Expected(fault: .status500StoredAfterEffect, status: 500, delivery: .answer, charged: true, next: (500, true)),
        Expected(fault: .status503, status: 503, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .html502, status: 502, delivery: .answer, charged: false, next: (200, false)),
        Expected(fault: .resetBeforeEffect, status: 0, delivery: .reset, charged: false, next: (200, false)),
        Expected(fault: .resetAfterEffect, status: 0, delivery: .reset, charged: true, next: (200, true)),
        Expected(fault: .hangBeforeEffect, status: 0, delivery: .hang, charged: false, next: (200, false)),
        Expected(fault: .hangAfterEffect, status: 0, delivery: .hang, charged: true, next: (200, true)),
        Expected(fault: .garbage, status: 200, delivery: .answer, charged: true, next: (200, true)),
        Expected(fault: .slow, status: 200, delivery: .answer, charged: true, next: (409, false)),
        Expected(fault: .lateExecution, status: 0, delivery: .hang, charged: false, next: (200, false)),
    ]

    @Test(arguments: table)
    func `does what its name says`(_ expected: Expected) throws {
        let bench = Bench()
        for call in [Bench.charge, Bench.intent] {
            let id = "o\(bench.sandbox.stats.requests)"
            bench.own("PUT", "/_sandbox/faults", #"[{"fault": "\#(expected.fault.rawValue)", "times": 1}]"#)
            let struck = call(bench)("tok_visa", id, id, [])
            #expect(struck.status == expected.status && struck.reply.delivery == expected.delivery)
            #expect(try bench.ledger(id) == (expected.charged ? ["succeeded"] : []))
            let next = call(bench)("tok_visa", id, id, [])
            #expect(next.status == expected.next.0)
            #expect((next.header("Idempotent-Replayed") == "true") == expected.next.1)
            if expected.next == (200, false) { #expect(try bench.ledger(id) == ["succeeded"]) }
        }
    }

    @Test func `answers that are not Stripe's have no request id`() {
        let bench = Bench()
        for fault in ["garbage", "html_502"] {
            bench.own("PUT", "/_sandbox/faults", #"[{"fault": "\#(fault)"}]"#)
            let seen = bench.charge()
            #expect(seen.header("Request-Id") == nil && seen.json == .null && !seen.reply.body.isEmpty)
        }
    }

    @Test func `a truncated answer stops half way and comes whole the next time`() {
        let bench = Bench()
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "truncated", "times": 1}]"#)
        let cut = bench.charge(key: "k")
        #expect(cut.reply.delivery == .truncated(at: cut.reply.body.count / 2))
        #expect(bench.charge(key: "k").reply.body == cut.reply.body)
    }

    @Test func `errors say what Stripe's say about a retry`() {
        let bench = Bench()
        func header(_ fault: String, _ name: String) -> String? {
            bench.own("PUT", "/_sandbox/faults", "[{\(fault)}]")
            return bench.charge(key: fault).header(name)
        }
        #expect(header(#""fault": "lock_timeout""#, "Stripe-Should-Retry") == "true")
        #expect(header(#""fault": "lock_timeout""#, "Stripe-Rate-Limited-Reason") == nil)
        #expect(header(#""fault": "status_429""#, "Stripe-Rate-Limited-Reason") == "global-rate")
        #expect(
            header(#""fault": "status_429", "reason": "endpoint-rate""#, "Stripe-Rate-Limited-Reason")
                == "endpoint-rate")
        #expect(header(#""fault": "status_500""#, "Stripe-Should-Retry") == nil)
        #expect(header(#""fault": "status_500", "should_retry": false"#, "Stripe-Should-Retry") == "false")
        #expect(header(#""fault": "status_500_stored""#, "Stripe-Should-Retry") == "false")
        #expect(header(#""fault": "status_500_stored", "should_retry": true"#, "Stripe-Should-Retry") == "true")
        #expect(header(#""fault": "status_409", "should_retry": true"#, "Stripe-Should-Retry") == "true")
    }

    @Test func `a lost answer can be lost again`() throws {
        let bench = Bench()
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "reset_after_effect", "times": 2}]"#)
        #expect(bench.charge(id: "o", key: "k").reply.delivery == .reset)
        #expect(bench.charge(id: "o", key: "k").reply.delivery == .reset)
        #expect(bench.charge(id: "o", key: "k").header("Idempotent-Replayed") == "true")
        #expect(try bench.ledger("o") == ["succeeded"])
    }

    @Test func `a fault hits what it matches`() throws {
        let bench = Bench()
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "status_503", "match": {"charge_id": "order-7"}}]"#)
        #expect(bench.charge(id: "order-8").status == 200 && bench.charge(id: "order-7").status == 503)
        #expect(bench.get("/v1/charges/search", [("query", "metadata['chargeline_id']:'order-7'")]).status == 503)
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "status_503", "match": {"token": "tok_mastercard"}}]"#)
        #expect(bench.intent("tok_visa").status == 200 && bench.intent("tok_mastercard").status == 503)
        #expect(bench.charge("tok_mastercard").status == 503)
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "status_503", "match": {"charge_id": "batch-*"}}]"#)
        #expect(bench.charge(id: "batch-1").status == 503 && bench.charge(id: "order-1").status == 200)
        let held = try #require(bench.intent(id: "held", [("capture_method", "manual")])["id"])
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "reset_before_effect", "match": {"charge_id": "held"}}]"#)
        #expect(bench.post("/v1/payment_intents/\(held)/cancel").reply.delivery == .reset)
        bench.own(
            "PUT", "/_sandbox/faults", #"[{"fault": "hang_after_effect", "match": {"path": "/v1/payment_methods"}}]"#)
        #expect(
            bench.post("/v1/payment_methods", [("type", "card"), ("card[token]", "tok_visa")]).reply.delivery == .hang)
        #expect(bench.charge().status == 200)
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "status_500", "match": {"method": "GET"}}]"#)
        #expect(bench.charge().status == 200 && bench.get("/v1/balance").status == 500)
    }

    @Test func `unmatched faults spare reads that move nothing, and tokens`() {
        let bench = Bench()
        for fault in Fault.Kind.allCases {
            bench.own("PUT", "/_sandbox/faults", #"[{"fault": "\#(fault.rawValue)"}]"#)
            let token = bench.post(
                "/v1/tokens",
                [
                    ("card[number]", "4242424242424242"), ("card[exp_month]", "12"), ("card[exp_year]", "2040"),
                ])
            #expect(token.status == 200 && token.reply.delay == 0 && token.reply.delivery == .answer)
            let read = bench.get("/v1/balance")
            let isHit =
                read.status != 200 || read.reply.delay > 0 || read.reply.delivery != .answer || read.json == .null
            #expect(isHit == fault.hitsEveryCall)
        }
        bench.own("DELETE", "/_sandbox/faults")
        #expect(bench.charge().status == 200)
    }

    @Test func `a rate hits its share, the same ones for the same seed, in any order`() {
        func hits(_ seed: UInt64, _ ids: [Int]) -> Set<Int> {
            var settings = SandboxSettings()
            settings.seed = seed
            settings.faults = [Fault(.status503, rate: 0.2)]
            let bench = Bench(settings)
            return Set(ids.filter { bench.charge(key: "order-\($0)").status == 503 })
        }
        let ids = Array(0..<2_000)
        let first = hits(1, ids)
        #expect((320...480).contains(first.count))
        #expect(hits(1, ids.reversed()) == first)
        #expect(hits(2, ids) != first)
    }

    @Test func `each try of a charge is drawn anew`() {
        var settings = SandboxSettings()
        settings.faults = [Fault(.status503, rate: 0.5)]
        let bench = Bench(settings)
        let tries = (0..<64).map { _ in bench.charge(key: "k").status }
        #expect(Set(tries) == [200, 503])
        var never = SandboxSettings()
        never.faults = [Fault(.status503, rate: 0), Fault(.status500, times: 0)]
        let calm = Bench(never)
        #expect((0..<100).allSatisfy { calm.charge(key: "k\($0)").status == 200 })
    }

    @Test func `what is in force can be read, with its hits`() {
        let bench = Bench()
        bench.own(
            "PUT", "/_sandbox/faults",
            """
            [{"fault": "slow", "delay": "3s", "times": 2,
              "match": {"charge_id": "a", "token": "tok_visa", "method": "post", "path": "/v1/charges"}},
             {"fault": "status_429", "rate": 0.25, "reason": "global-concurrency", "should_retry": true}]
            """
        )
        #expect(bench.charge("tok_visa", id: "a").reply.delay == 3_000)
        let list = bench.own("GET", "/_sandbox/faults")
        #expect(list["0.fault"] == "slow" && list["0.delay"] == "3s" && list["0.hits"] == "1" && list["0.left"] == "1")
        #expect(list["0.match.method"] == "POST" && list["1.rate"] == "0.25" && list["1.should_retry"] == "true")
    }

    @Test(arguments: [
        "", "{}", "[1]", "[{}]", #"[{"fault": "status_418"}]"#, #"[{"fault": "slow", "rate": 2}]"#,
        #"[{"fault": "slow", "delay": "5"}]"#, #"[{"fault": "slow", "often": 1}]"#,
        #"[{"fault": "slow", "times": -1}]"#,
        #"[{"fault": "slow", "match": {"id": "a"}}]"#, #"[{"fault": "slow"}] x"#,
    ])
    func `a wrong list changes nothing and says why`(_ json: String) {
        let bench = Bench()
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "status_503"}]"#)
        let answer = bench.own("PUT", "/_sandbox/faults", json)
        #expect(answer.status == 400 && answer["error.message"]?.isEmpty == false)
        #expect(bench.charge().status == 503)
    }

    @Test func `the short text of a flag`() throws {
        let faults = try FaultText.parse(flag: "reset_after_effect=5%, status_503=x3,status_500=0.1, slow")
        #expect(
            faults == [
                Fault(.resetAfterEffect, rate: 0.05), Fault(.status503, times: 3), Fault(.status500, rate: 0.1),
                Fault(.slow),
            ])
        #expect(try FaultText.parse(flag: #" [{"fault": "slow", "times": 1}]"#) == [Fault(.slow, times: 1)])
        for wrong in ["nope", "slow=", "slow=200%", "slow=x", "slow=often"] {
            #expect(throws: FaultText.Problem.self) { try FaultText.parse(flag: wrong) }
        }
    }
}
