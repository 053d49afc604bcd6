import Charging
import Settings
import StripeClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct CallTests {
    @Test(arguments: [
        (Flow.paymentIntents, "POST /v1/payment_intents HTTP/1.1"), (.charges, "POST /v1/charges HTTP/1.1"),
    ])
    func aChargeIsPostedAsItIsUnderItsIDAlone(flow: Flow, line: String) async throws {
        let form = "amount=1999&currency=usd&metadata[chargeline_id]=order-1001"
        try await withStripe(script: { _ in [.reply(200, Answers.charge, [("Request-Id", "req_1")])] }) {
            stripe, server in
            for account in [nil, "acct_1Rq", nil] {
                let outcome = await stripe.charge(try order(1001), form: Array(form.utf8), flow: flow, account: account)
                #expect(try outcome.object.id == "ch_3Rq1")
            }
            #expect(server.requests.map(\.line) == [line, line, line])
            #expect(server.requests.map(\.text) == [form, form, form])
            #expect(server.requests.map { $0.headers["stripe-account"] } == [nil, "acct_1Rq", nil])
            #expect(server.connectionCount == 1)
            let headers = try #require(server.requests.first?.headers)
            #expect(headers["idempotency-key"] == "order-1001")
            #expect(headers["stripe-version"] == "2026-10-28.endive")
            #expect(headers["authorization"] == "Basic c2tfdGVzdF80ZUMzOUhxTHlqV0Rhcmp0VDF6ZHA3ZGM6")
            #expect(headers["user-agent"] == "chargeline/1.2.3")
            #expect(headers["content-type"] == "application/x-www-form-urlencoded")
        }
    }

    @Test func theKeyCanBeReplacedAndTellsItsMode() async throws {
        try await withStripe(key: "sk_test_a", script: { _ in [.reply(200, Answers.charge)] }) { stripe, server in
            #expect(!stripe.isLive)
            _ = await stripe.probe()
            stripe.replaceKey(Secret("rk_live_bb"))
            #expect(stripe.isLive)
            _ = await stripe.probe()
            #expect(
                server.requests.map { $0.headers["authorization"] } == [
                    "Basic c2tfdGVzdF9hOg==", "Basic cmtfbGl2ZV9iYjo=",
                ])
            #expect(!"\(String(reflecting: stripe))".contains("live_bb"))
        }
    }

    @Test func otherCallsHaveTheirOwnKeysAndReadsHaveNone() async throws {
        try await withStripe(script: { _ in [.reply(200, Answers.intent(), [("Request-Id", "req_1")])] }) {
            stripe, server in
            let id = try order(7)
            let intent = StripeObject(kind: .paymentIntent, id: "pi_3Rq1", status: "", amount: 0, currency: "usd")
            let charge = StripeObject(kind: .charge, id: "ch_3/../x", status: "", amount: 0, currency: "usd")
            _ = await stripe.cancel(id, paymentIntent: "pi_3Rq1", account: "acct_1")
            _ = await stripe.burn(id, token: try CardToken(validating: "tok_1RqABCDEFGHIJKLMNOPQRST"), account: nil)
            _ = await stripe.retrieve(intent, account: nil)
            _ = await stripe.retrieve(charge, account: "acct_1")
            _ = await stripe.probe()
            #expect(
                server.requests.map(\.line) == [
                    "POST /v1/payment_intents/pi_3Rq1/cancel HTTP/1.1", "POST /v1/payment_methods HTTP/1.1",
                    "GET /v1/payment_intents/pi_3Rq1?expand[0]=latest_charge HTTP/1.1",
                    "GET /v1/charges/ch_3%2F..%2Fx HTTP/1.1", "GET /v1/balance HTTP/1.1",
                ])
            #expect(
                server.requests.map { $0.headers["idempotency-key"] } == [
                    "order-7/cancel", "order-7/burn", nil, nil, nil,
                ])
            #expect(server.requests.map { $0.headers["stripe-account"] } == ["acct_1", nil, nil, "acct_1", nil])
            #expect(server.requests[1].text == "type=card&card[token]=tok_1RqABCDEFGHIJKLMNOPQRST")
            #expect(server.requests.allSatisfy { $0.headers["stripe-version"] == "2026-10-28.endive" })
        }
    }

    @Test func whatNeverLeftIsToldFromWhatMayHaveMoved() async throws {
        let refused = try await withStripe(script: { _ in [] }) { stripe, server in
            server.stopListening()
            return await stripe.charge(try order(1), form: [], flow: .charges, account: nil)
        }
        guard case .notSent(let why) = refused else { throw Unexpected(what: "\(refused)") }
        #expect(why.kind == .connect)
        let cuts: [(steps: [ScriptedServer.Step], isSilence: Bool, timeout: Int)] = [
            ([.reset], true, 50_000), ([.close], true, 50_000), ([.hang], true, 1000),
            ([.send("HTTP/1.1 200 OK\r\nRequest-Id: req_1\r\nContent-Length: 9000\r\n\r\n{"), .close], false, 50_000),
            ([.send("garbage\r\n\r\n"), .close], false, 50_000),
        ]
        for cut in cuts {
            let outcome = try await withStripe(timeout: cut.timeout, script: { _ in cut.steps }) { stripe, _ in
                await stripe.charge(try order(1), form: [], flow: .charges, account: nil)
            }
            switch outcome {
            case .noAnswer: #expect(cut.isSilence, "\(outcome)")
            case .notStripe: #expect(!cut.isSilence, "\(outcome)")
            default: Issue.record("\(outcome)")
            }
        }
    }
}
