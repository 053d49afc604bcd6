import Testing

@testable import StripeSandbox

/// Requests that Stripe executes minutes after their client gave up.
@Suite struct LateExecutionTests {
    private let bench = Bench()

    private func loseInQueue(_ delay: String = "3m") {
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "late_execution", "times": 1, "delay": "\#(delay)"}]"#)
    }

    @Test(arguments: [Bench.charge, Bench.intent])
    func `it is executed when its time has come`(
        _ call: @Sendable (Bench) -> (String, String?, String?, [(String, String)]) -> Bench.Seen
    ) throws {
        loseInQueue()
        #expect(call(bench)("tok_visa", "o", "k", []).reply.delivery == .hang)
        bench.wait(milliseconds: 179_000)
        #expect(try bench.ledger("o") == [] && bench.own("GET", "/_sandbox/stats")["late"] == "1")
        bench.wait(milliseconds: 1_000)
        #expect(try bench.ledger("o") == ["succeeded"] && bench.own("GET", "/_sandbox/stats")["late"] == "0")
        // Its answer is kept under the key.
        #expect(call(bench)("tok_visa", "o", "k", []).header("Idempotent-Replayed") == "true")
        #expect(try bench.ledger("o") == ["succeeded"])
    }

    @Test func `a retry that came first leaves it without effect`() throws {
        loseInQueue()
        bench.intent(id: "o", key: "k")
        #expect(bench.intent(id: "o", key: "k").status == 200)
        bench.wait(milliseconds: 180_000)
        #expect(try bench.ledger("o") == ["succeeded"])
    }

    @Test func `a key that was taken for something else keeps it out`() throws {
        loseInQueue()
        bench.intent(id: "o", key: "k")
        let taken = bench.post(
            "/v1/payment_intents", [("amount", "1999"), ("currency", "usd"), ("payment_method_types[0]", "card")],
            key: "k")
        #expect(taken.status == 200)
        bench.wait(milliseconds: 180_000)
        #expect(try bench.ledger("o") == [])
    }

    @Test func `a token that was spent meanwhile is refused`() throws {
        bench.own("PUT", "/_sandbox/settings", #"{"single_use_tokens": "all"}"#)
        loseInQueue()
        bench.charge("tok_visa", id: "o", key: "k")
        #expect(bench.charge("tok_visa", id: "other", key: "other").status == 200)
        bench.wait(milliseconds: 180_000)
        #expect(try bench.ledger("o") == [])
    }

    @Test func `a clock that is moved far executes each at its own time`() throws {
        loseInQueue("23h")
        bench.charge(id: "a", key: "k")
        bench.charge(id: "b", key: "k")
        // Its key is still known then, and forgotten now.
        bench.own("POST", "/_sandbox/clock", #"{"advance": "48h"}"#)
        #expect(try bench.ledger("a") == [] && bench.own("GET", "/_sandbox/stats")["keys"] == "0")
        loseInQueue("1h")
        bench.charge(id: "c", key: "c")
        bench.own("POST", "/_sandbox/clock", #"{"advance": "2h"}"#)
        let made = bench.get("/v1/charges", [("limit", "1")])
        #expect(made["data.0.metadata.chargeline_id"] == "c")
        #expect(made["data.0.created"] == String(1_780_000_000 + 49 * 3_600))
    }
}
