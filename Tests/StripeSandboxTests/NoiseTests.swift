import Settings
import Testing

@testable import StripeSandbox

/// Requests that nobody planned, and clients that keep trying.
@Suite struct NoiseTests {
    private static let names = [
        "amount", "currency", "source", "customer", "confirm", "payment_method", "payment_method_data[type]",
        "payment_method_data[card][token]", "payment_method_types[]", "payment_method_types", "metadata[a]", "metadata",
        "metadata[", "expand[]", "expand[0]", "off_session", "error_on_requires_action", "capture_method", "capture",
        "limit", "created[gte]", "created", "starting_after", "ending_before", "query", "page", "amount_to_capture",
        "return_url", "receipt_email", "card[number]", "card[exp_month]", "card[exp_year]", "card[cvc]", "type",
        "statement_descriptor_suffix", "description", "", "[]", "a[b][c][d][e]", "setup_future_usage",
    ]
    private static let values = [
        "", "0", "-1", "1999", "99999999", "9223372036854775807", "-9223372036854775808", "1e3", "usd", "isk", "kwd",
        "true", "false", "card", "manual", "tok_visa", "tok_chargeDeclined", "tok_threeDSecure2Required", "tok_",
        "pm_card_visa", "pm_", "latest_charge", "data.latest_charge", "a.b.c.d.e.f", "4242424242424242", "12", "2040",
        "status:'succeeded'", "metadata['a']:'b' OR amount>5", "-", "'", "metadata[", "https://x", "a@b.c", "💥",
        "\u{0}",
    ]
    private static let paths = [
        "/v1/charges", "/v1/payment_intents", "/v1/payment_methods", "/v1/tokens", "/v1/customers", "/v1/balance",
        "/v1/charges/search", "/v1/payment_intents/search", "/v1/", "/v1", "/v1//", "/v1/charges/x/capture",
        "/v1/a/b/c/d",
        "/_sandbox/faults", "/_sandbox/clock", "/_sandbox/settings", "/_sandbox/ledger", "/_sandbox/stats", "/", "",
    ]

    private func pick<Value>(_ values: [Value], _ chance: inout Chance) -> Value {
        values[Int(chance.next() % UInt64(values.count))]
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `any request gets an answer that can be read`(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let bench = Bench()
        var ids: [String] = ["x"]
        for number in 0..<1_500 {
            let method = pick(["POST", "POST", "GET", "PUT", "DELETE", "HEAD", "PATCH"], &chance)
            var path = pick(Self.paths, &chance)
            if chance.next() % 3 == 0 {
                path = pick(["/v1/payment_intents/", "/v1/charges/", "/v1/tokens/"], &chance) + pick(ids, &chance)
                if chance.next() % 2 == 0 { path += pick(["/confirm", "/capture", "/cancel", "/"], &chance) }
            }
            var request = SandboxRequest(method, path)
            let form = (0..<chance.next() % 9).map { _ in
                Bench.escape(pick(Self.names, &chance)) + "=" + Bench.escape(pick(Self.values + ids, &chance))
            }.joined(separator: "&")
            request.body =
                chance.next() % 20 == 0
                ? (0..<30).map { _ in UInt8(truncatingIfNeeded: chance.next()) } : Array(form.utf8)
            request.query = form
            if chance.next() % 4 == 0 { request.idempotencyKey = "k\(chance.next() % 20)" }
            let seen = bench.send(request)
            #expect((200...599).contains(seen.status), "\(number) \(method) \(path)")
            if method != "HEAD", path.hasPrefix("/v1/") { #expect(seen.json != .null, "\(method) \(path)?\(form)") }
            if let id = seen["id"] { ids = Array((ids + [id]).suffix(20)) }
            bench.wait(milliseconds: 10)
        }
    }

    @Test func `bodies of the sandbox's own calls may be noise`() {
        var chance = Chance(seed: 5)
        let bench = Bench()
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"fault\"", "\"slow\"", "\"rate\"", "\"advance\"", "\"99999999999h\"",
            "\"latency\"",
            "1e400", "-1", "\"search_lag\"", "\"delay\"", "\"match\"", "true", "\"largest_amount\"",
            "9223372036854775807",
        ]
        for _ in 0..<3_000 {
            let body = (0..<chance.next() % 12).map { _ in pick(pieces, &chance) }.joined()
            bench.own(
                pick(["PUT", "POST"], &chance),
                pick(["/_sandbox/faults", "/_sandbox/clock", "/_sandbox/settings"], &chance), body)
        }
        for (path, body) in [
            ("/_sandbox/clock", #"{"advance": "87600h"}"#),
            ("/_sandbox/settings", #"{"largest_amount": 9223372036854775807}"#),
            ("/_sandbox/settings", #"{"latency": "999999999999h", "search_lag": "999999999999h"}"#),
        ] {
            #expect([200, 400].contains(bench.own(path.hasSuffix("clock") ? "POST" : "PUT", path, body).status))
        }
        bench.own("PUT", "/_sandbox/faults", #"[{"fault": "slow", "delay": "999999999999h"}]"#)
        #expect(bench.charge("tok_visa", [("amount", "999999999999")]).status == 200)
        #expect(bench.get("/v1/charges", [("expand[]", "data.balance_transaction")]).status == 200)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever breaks, a client that keeps its key charges once`(_ seed: UInt64) throws {
        var settings = SandboxSettings()
        settings.seed = seed
        settings.faults = Fault.Kind.allCases.map { Fault($0, rate: 0.08) }
        settings.latency = .init(.seconds(0), .seconds(1))
        let bench = Bench(settings)
        var stuck = 0
        for number in 0..<250 {
            let id = "order-\(number)"
            let token = number % 7 == 0 ? "tok_chargeDeclined" : "tok_visa"
            var ended = false
            for _ in 0..<60 where !ended {
                let seen = number % 2 == 0 ? bench.intent(token, id: id, key: id) : bench.charge(token, id: id, key: id)
                let isWhole = seen.reply.delivery == .answer && seen.json != .null
                ended = isWhole && (seen.status == 200 || seen.status == 402)
                if isWhole, seen.status == 500, seen.header("Idempotent-Replayed") == "true" {
                    stuck += 1
                    ended = true
                }
                bench.wait(milliseconds: 1_500)
            }
            #expect(ended)
            let moved = try bench.ledger(id).filter { $0 == "succeeded" }
            #expect(moved.count <= 1 && (token == "tok_visa" || moved.isEmpty))
        }
        #expect(bench.sandbox.ledger.doubled.isEmpty && stuck > 0)
        #expect(bench.sandbox.ledger.charged <= 215 && bench.sandbox.ledger.charged > 150)
    }

    @Test func `the same seed and requests give the same answers`() {
        func run() -> [[UInt8]] {
            var settings = SandboxSettings()
            settings.seed = 11
            settings.faults = [Fault(.status503, rate: 0.3), Fault(.garbage, rate: 0.2)]
            let bench = Bench(settings)
            return (0..<100).map { bench.intent("tok_visa", id: "o\($0)", key: "o\($0)").reply.body }
        }
        #expect(run() == run())
    }
}
