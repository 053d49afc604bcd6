import JSONText
import Settings
import Testing

@testable import StripeSandbox

/// The sandbox's own calls.
@Suite struct ControlTests {
    @Test func `the ledger holds every try, as lines`() throws {
        let bench = Bench()
        bench.charge(id: "a", key: "a")
        bench.intent("tok_chargeDeclined", id: "b", key: "b", [("amount", "700"), ("currency", "eur")])
        bench.intent("tok_threeDSecure2Required", id: "c", key: "c")
        bench.charge("tok_visa", [("amount", "1")])
        let seen = bench.own("GET", "/_sandbox/ledger")
        let lines = try seen.reply.body.split(separator: UInt8(ascii: "\n")).map { try JSONTree(Array($0)) }
        #expect(lines.map { $0["status"] } == ["succeeded", "failed", "failed"])
        #expect(lines.map { $0["metadata.chargeline_id"] } == ["a", "b", "c"])
        #expect(lines.map { $0["idempotency_key"] } == ["a", "b", "c"])
        #expect(lines.map { $0["amount"] } == ["1999", "700", "1999"] && lines[1]["currency"] == "eur")
        #expect(lines[0]["id"]?.hasPrefix("ch_") == true && lines[0]["payment_intent"] == nil)
        #expect(lines[1]["payment_intent"]?.hasPrefix("pi_") == true && lines[1]["decline_code"] == "generic_decline")
        #expect(lines[2]["id"] == nil && lines[2]["payment_intent"]?.hasPrefix("pi_") == true)
        #expect(lines.allSatisfy { $0["created"] == "1780000000" })
        var last = SandboxRequest("GET", "/_sandbox/ledger")
        last.query = "last=2"
        #expect(bench.send(last).reply.body.split(separator: UInt8(ascii: "\n")).count == 2)
    }

    @Test func `statistics count what happened`() {
        let bench = Bench()
        bench.charge(id: "a", key: "1")
        bench.charge(id: "a", key: "1")
        bench.charge(id: "a", key: "2")
        bench.charge("tok_chargeDeclined", id: "b")
        bench.wait(milliseconds: 1_000)
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "reset_before_effect", "times": 1}]"#)
        bench.charge()
        bench.charge("tok_visa", [("amount", "1")])
        let stats = bench.own("GET", "/_sandbox/stats")
        #expect(stats["requests"] == "6" && stats["by_status.200"] == "3" && stats["by_status.402"] == "1")
        #expect(stats["by_status.400"] == "1" && stats["by_status.reset"] == "1" && stats["replayed"] == "1")
        #expect(stats["charged"] == "2" && stats["charged_ids"] == "1" && stats["doubled.0"] == "a")
        #expect(stats.json.elements("doubled").count == 1 && stats["tries"] == "3" && stats["peak_per_second"] == "4")
    }

    @Test func `the clock moves forward only`() {
        let bench = Bench()
        let moved = bench.own("POST", "/_sandbox/clock", #"{"advance": "25h"}"#)
        #expect(moved.status == 200 && moved["ahead"] == "25h")
        #expect(moved["now"] == RFC3339.text(milliseconds: 1_780_000_000_000 + 25 * 3_600_000))
        #expect(bench.charge()["created"] == String(1_780_000_000 + 25 * 3_600))
        for wrong in [#"{"advance": "-1h"}"#, "{}", #"{"advance": 5}"#, #"{"to": "1h"}"#, ""] {
            #expect(bench.own("POST", "/_sandbox/clock", wrong).status == 400)
        }
        #expect(bench.own("GET", "/_sandbox/clock")["ahead"] == "25h")
    }

    @Test func `settings change while it runs, all or none`() {
        let bench = Bench()
        let changed = bench.own(
            "PUT", "/_sandbox/settings",
            """
            {"latency": "50ms-200ms", "rate_limit": 100, "single_use_tokens": "all", "search_lag": "60s",
             "largest_amount": 999}
            """
        )
        #expect(changed["latency"] == "50ms-200ms" && changed["rate_limit"] == "100")
        #expect(
            changed["single_use_tokens"] == "all" && changed["search_lag"] == "1m" && changed["largest_amount"] == "999"
        )
        #expect((50...200).contains(bench.charge("tok_visa", [("amount", "900")]).reply.delay))
        #expect(bench.charge()["error.code"] == "amount_too_large")
        for wrong in [
            #"{"latency": "fast"}"#, #"{"rate_limit": -1}"#, #"{"single_use_tokens": "some"}"#,
            #"{"rate_limit": 1, "x": 2}"#,
            #"{"latency": "2s-1s"}"#, "[]",
        ] {
            #expect(bench.own("PUT", "/_sandbox/settings", wrong).status == 400)
        }
        #expect(bench.own("GET", "/_sandbox/settings").reply.body == changed.reply.body)
        #expect(bench.own("PUT", "/_sandbox/settings", #"{"single_use_tokens": true}"#)["single_use_tokens"] == "true")
    }

    @Test func `the rate limit is a bucket, by account`() {
        var settings = SandboxSettings()
        settings.rateLimit = 10
        let bench = Bench(settings)
        func sent(_ count: Int, account: String? = nil) -> Int {
            (0..<count).filter { _ in bench.get("/v1/balance", account: account).status == 200 }.count
        }
        #expect(sent(15) == 10)
        #expect(sent(5, account: "acct_1Other") == 5)
        bench.wait(milliseconds: 500)
        #expect(sent(10) == 5)
        bench.wait(milliseconds: 60_000)
        #expect(sent(15) == 10)
        let limited = bench.get("/v1/balance")
        #expect(limited.status == 429 && limited["error.code"] == "rate_limit")
        #expect(limited["error.type"] == "invalid_request_error")
        #expect(limited.header("Stripe-Rate-Limited-Reason") == "global-rate")
    }

    @Test func `searches have a limit of their own`() {
        var settings = SandboxSettings()
        settings.rateLimit = 100
        let bench = Bench(settings)
        func search() -> Bench.Seen { bench.get("/v1/charges/search", [("query", "metadata['chargeline_id']:'a'")]) }
        #expect((0..<30).filter { _ in search().status == 200 }.count == 20)
        let limited = search()
        #expect(limited.status == 429 && limited["error.code"] == "rate_limit")
        #expect(limited.header("Stripe-Rate-Limited-Reason") == "endpoint-rate")
        #expect(bench.charge().status == 200)
    }

    @Test func `the page shows everything as text`() {
        let bench = Bench()
        bench.charge(id: "<b>\"x\"&'y'</b>")
        bench.charge(id: "twice")
        bench.charge(id: "twice")
        bench.charge("tok_chargeDeclined", id: "no")
        let seen = bench.own("GET", "/")
        let page = String(decoding: seen.reply.body, as: UTF8.self)
        #expect(seen.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.contains("&lt;b&gt;&quot;x&quot;&amp;&#39;y&#39;&lt;/b&gt;") && !page.contains("<b>\""))
        #expect(page.contains("Charged more than once: twice (2 times)") && page.contains("class=\"succeeded bad\""))
        #expect(
            page.contains("generic_decline") && page.contains("http-equiv=\"refresh\"") && !page.contains("<script"))
        #expect(!page.contains("http://") && !page.contains("https://"))
    }

    @Test func `unknown calls say what there is`() {
        let seen = Bench().own("GET", "/_sandbox/ledgers")
        #expect(seen.status == 404 && seen["error.message"]?.contains("/_sandbox/ledger") == true)
        #expect(Bench().own("POST", "/_sandbox/stats").status == 404)
        let head = Bench().own("HEAD", "/_sandbox/stats")
        #expect(head.status == 200)
    }

    @Test func `flags say the same as settings`() {
        let flags = SandboxFlags([
            "--latency", "80ms-120ms", "--rate-limit=25", "extra", "--single-use-tokens", "true", "--search-lag", "60s",
            "--break", "status_503=5%", "--seed", "9", "--largest-amount", "500", "--listen", "127.0.0.1:0",
        ])
        #expect(flags.faults.isEmpty && flags.rest == ["extra", "--listen", "127.0.0.1:0"])
        var wanted = SandboxSettings()
        wanted.latency = SandboxSettings.Latency(TimeSpan(milliseconds: 80), TimeSpan(milliseconds: 120))
        wanted.rateLimit = 25
        wanted.singleUseTokens = .made
        wanted.searchLag = .minutes(1)
        wanted.faults = [Fault(.status503, rate: 0.05)]
        wanted.seed = 9
        wanted.largestAmount = 500
        #expect(flags.settings == wanted)
        let wrong = SandboxFlags([
            "--latency", "fast", "--rate-limit", "-1", "--single-use-tokens", "x", "--search-lag", "1", "--break",
            "nope",
            "--seed", "x", "--largest-amount", "0", "--latency",
        ])
        #expect(wrong.faults.count == 8 && wrong.settings == SandboxSettings())
    }
}
