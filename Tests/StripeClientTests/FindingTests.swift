import Charging
import StripeClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct FindingTests {
    private static let told = [("Request-Id", "req_1")]

    @Test func aSearchAsksForBothKindsAndFollowsPages() async throws {
        let newer = Answers.intent(latestCharge: "\"ch_2\"", id: "pi_2", created: 1_790_000_050)
        let finding = try await withStripe(script: { request in
            if request.line.contains("/charges/") {
                return [.reply(200, Answers.page("search_result", [Answers.charge]), Self.told)]
            }
            if !request.line.contains("&page=") {
                let stranger = Answers.intent(id: "pi_9", charge: "order-10010")
                return [.reply(200, Answers.page("search_result", [stranger], more: true, next: "W1s="), Self.told)]
            }
            return [.reply(200, Answers.page("search_result", [newer]), Self.told)]
        }) { stripe, server in
            let finding = await stripe.search(try order(1001), account: "acct_1")
            let query = "query=metadata%5B%27chargeline_id%27%5D%3A%27order-1001%27&limit=20"
            #expect(
                server.requests.map(\.line) == [
                    "GET /v1/payment_intents/search?\(query) HTTP/1.1",
                    "GET /v1/payment_intents/search?\(query)&page=W1s%3D HTTP/1.1",
                    "GET /v1/charges/search?\(query) HTTP/1.1",
                ])
            #expect(server.requests.allSatisfy { $0.headers["stripe-account"] == "acct_1" })
            #expect(server.requests.allSatisfy { $0.headers["idempotency-key"] == nil })
            return finding
        }
        guard case .found(let objects) = finding else { throw Unexpected(what: "\(finding)") }
        #expect(objects.map(\.id) == ["pi_2", "ch_3Rq1"])
        #expect(objects.first?.chargeID == "ch_2")
    }

    @Test func aListPagesThroughItsWindowAndKeepsWhatCarriesTheID() async throws {
        try await withStripe(script: { request in
            if request.line.contains("/charges") {
                return [.reply(200, Answers.page("list", [Answers.failedCharge, Answers.charge]), Self.told)]
            }
            if request.line.contains("starting_after=pi_b") {
                return [.reply(200, Answers.page("list", []), Self.told)]
            }
            let ids = request.line.contains("starting_after") ? ["pi_b"] : ["pi_0", "pi_a"]
            let data = ids.map { Answers.intent(id: $0, charge: $0 == "pi_b" ? "order-1001" : "other") }
            return [.reply(200, Answers.page("list", data, more: true), Self.told)]
        }) { stripe, server in
            let finding = await stripe.list(try order(1001), from: 1_789_990_000, to: 1_790_010_000, account: nil)
            guard case .found(let objects) = finding else { throw Unexpected(what: "\(finding)") }
            #expect(objects.map(\.id) == ["pi_b", "ch_3Rq1"])
            let window = "created[gte]=1789990000&created[lte]=1790010000&limit=100"
            #expect(
                server.requests.map(\.line) == [
                    "GET /v1/payment_intents?\(window) HTTP/1.1",
                    "GET /v1/payment_intents?\(window)&starting_after=pi_a HTTP/1.1",
                    "GET /v1/payment_intents?\(window)&starting_after=pi_b HTTP/1.1",
                    "GET /v1/charges?\(window) HTTP/1.1",
                ])
        }
    }

    @Test func nothingFoundIsAnAnswerToo() async throws {
        try await withStripe(script: { _ in [.reply(200, Answers.page("search_result", []), Self.told)] }) {
            stripe, _ in
            let finding = await stripe.search(try order(1001), account: nil)
            #expect(finding == .found([]))
        }
    }

    /// A page that cannot be read whole must not pass for one without the charge.
    @Test(arguments: [
        (200, Answers.page("search_result", ["{}"])), (200, Answers.page("search_result", ["1"])),
        (200, Answers.intent()), (200, "{}"), (200, #"{"object":"search_result","data":null}"#), (502, "<html>"),
    ])
    func anUnreadablePageIsNoAnswer(status: Int, body: String) async throws {
        let finding = try await withStripe(script: { _ in [.reply(status, body, Self.told)] }) { stripe, _ in
            await stripe.search(try order(1001), account: nil)
        }
        guard case .failed(.notStripe) = finding else { throw Unexpected(what: "\(finding)") }
    }

    @Test func anErrorInPlaceOfAPageIsTold() async throws {
        let body = Answers.error(#""type":"invalid_request_error","code":"rate_limit""#)
        let finding = try await withStripe(script: { _ in [.reply(429, body, Self.told)] }) { stripe, _ in
            await stripe.search(try order(1001), account: nil)
        }
        guard case .failed(let outcome) = finding else { throw Unexpected(what: "\(finding)") }
        #expect(try outcome.error.code == "rate_limit")
    }
}
