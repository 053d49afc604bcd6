import Charging
import Messaging
import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct ChargesTests {
    private func body(_ id: String, _ description: String = "succeeded", amount: Int = 1999) -> String {
        #"{"id":"\#(id)","token":"tok_visa","amount":\#(amount),"currency":"usd","description":"\#(description)"}"#
    }

    private let json = "Content-Type: application/json\r\n"

    @Test func `every status of a result has its HTTP status, waited for and asked for`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix) { _ in
                let client = try api.client()
                let rows: [(String, Int)] = [
                    ("succeeded", 200), ("authorized", 200), ("declined", 402), ("requires_action", 402),
                    ("not_charged", 402), ("rejected", 422), ("refused", 409), ("parked", 202),
                ]
                for (status, code) in rows {
                    client.post("/v1/charges", body("c-\(status)", status), extra: json + "Prefer: wait=20\r\n")
                    var answer = try client.answer()
                    #expect(answer.status == code, "\(status)")
                    #expect(answer.text.contains(#""id":"c-\#(status)","#))
                    #expect(answer.text.contains(#""status":"\#(status)""#))
                    #expect(answer.headers["preference-applied"] == "wait=20")
                    #expect(answer.headers["location"] == "/v1/charges/c-\(status)")
                    client.get("/v1/charges/c-\(status)")
                    answer = try client.answer()
                    #expect(answer.status == code)
                    #expect(answer.text.contains(#""status":"\#(status)""#))
                }
            }
        }
    }

    @Test func `without a wait a charge is accepted, and can be fetched once it has a result`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            let client = try api.client()
            client.post(
                "/v1/charges?lane=batch", body("later"),
                extra: json + "X-Request-Id: mine-1\r\n"
                    + "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n")
            var answer = try client.answer()
            #expect(answer.status == 202)
            #expect(answer.headers["location"] == "/v1/charges/later")
            #expect(answer.headers["x-request-id"] == "mine-1")
            #expect(answer.headers["preference-applied"] == nil)
            client.get("/v1/charges/later")
            answer = try client.answer()
            #expect(answer.status == 202)
            #expect(answer.text.hasPrefix(#"{"id":"later","status":"queued","final":false,"lane":"batch","#))
            try await ScriptedWorker.with(broker.url, prefix: prefix) { worker in
                let seen = try await worker.seen.next()
                #expect(seen.message.messageID == "later")
                #expect(seen.message.persistent)
                #expect(seen.message.contentType == "application/json")
                #expect(seen.message[header: "x-chargeline-accepted"]?.int == seen.headers.accepted)
                #expect(seen.message.timestamp == seen.headers.accepted.map { $0 / 1000 })
                #expect(seen.message[header: "x-chargeline-caller"] == nil)
                #expect(seen.headers.traceparent == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                #expect(seen.message.body == seen.request.json())
                try await eventually {
                    client.get("/v1/charges/later")
                    return try client.answer().status == 200
                }
            }
            #expect(try api.metric(#"chargeline_api_accepted_total{lane="batch"}"#) == 1)
        }
    }

    @Test func `a charge that is still looked up when the wait ends is 202 with what is known`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix) { _ in
                let client = try api.client()
                client.post("/v1/charges", body("maybe", "unknown"), extra: json + "Prefer: wait=1\r\n")
                let answer = try client.answer()
                #expect(answer.status == 202)
                #expect(answer.text.contains(#""status":"unknown""#))
            }
        }
    }

    @Test func `a result of the same id with another amount does not answer`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(
                broker.url, prefix: prefix,
                script: { seen in
                    // The id is another charge's: its result comes by, then this message's refusal, as a worker gives
                    // it.
                    var other = seen
                    other = .init(message: seen.message, request: seen.request, headers: seen.headers)
                    var result = ScriptedWorker.told(other)
                    result.amount = 5
                    let refusal = ChargeResult.refused(
                        id: seen.request.id, body: seen.message.body, lane: "checkout",
                        failure: ChargeFailure(code: "id_taken", message: "taken"), acceptedAt: nil, completedAt: 1)
                    return [result, refusal]
                }
            ) { _ in
                let client = try api.client()
                client.post("/v1/charges", body("taken"), extra: json + "Prefer: wait=20\r\n")
                let answer = try client.answer()
                #expect(answer.status == 409)
                #expect(answer.text.contains(#""event":"taken.refused."#))
            }
        }
    }

    @Test func `two callers with one id have two charges, and neither sees the other's`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        let keys = ["CHARGELINE_API_KEYS": "shop:shop-key-000000001,app:app-key-000000002"]
        try await RunningAPI.with(broker.url, prefix: prefix, keys) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix) { worker in
                let client = try api.client()
                let shop = "Authorization: Bearer shop-key-000000001\r\n"
                let app = "Authorization: Bearer app-key-000000002\r\n"
                client.post("/v1/charges", body("order-1"), extra: json + shop + "Prefer: wait=20\r\n")
                #expect(try client.answer().text.contains(#""id":"shop:order-1""#))
                #expect(try await worker.seen.next().headers.caller == "shop")
                client.get("/v1/charges/order-1", extra: app)
                #expect(try client.answer().status == 404)
                client.get("/v1/charges/shop:order-1", extra: app)
                #expect(try client.answer().status == 404)
                client.get("/v1/charges/order-1", extra: shop)
                #expect(try client.answer().status == 200)
                client.get("/v1/charges/shop:order-1", extra: shop)
                #expect(try client.answer().status == 200)
                client.post("/v1/charges", body("order-1"), extra: json + app + "Prefer: wait=20\r\n")
                #expect(try client.answer().text.contains(#""caller":"app""#))
                client.get("/v1/charges/order-1")
                #expect(try client.answer().status == 401)
                client.post("/v1/charges", body("order-1"), extra: json)
                let answer = try client.answer()
                #expect(answer.status == 401)
                #expect(answer.headers["www-authenticate"] != nil)
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
        }
    }

    @Test func `a connection carries many charges, and a key sent again is the same charge`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            let client = try api.client()
            for number in 0..<200 {
                client.post("/v1/charges", body("k-\(number)"), extra: json)
                #expect(try client.answer().status == 202)
            }
            let keyed = #"{"token":"tok_visa","amount":100,"currency":"usd"}"#
            var ids: Set<String?> = []
            for _ in 0..<3 {
                client.post("/v1/charges", keyed, extra: json + "Idempotency-Key: \"8f14e45f\"\r\n")
                ids.insert(try client.answer().headers["location"])
            }
            #expect(ids.count == 1)
            #expect(ids.first??.hasPrefix("/v1/charges/ik_") == true)
            try await ScriptedWorker.with(broker.url, prefix: prefix) { worker in
                let seen = try await worker.seen.next(203)
                #expect(Set(seen.map(\.request.id)).count == 201)
            }
        }
    }
}
