import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct RefusalTests {
    private let json = "Content-Type: application/json\r\n"

    @Test func `what cannot be taken is a problem that says why`() async throws {
        let broker = try await PrivateBroker.shared()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix()) { api in
            let client = try api.client()
            func refused(_ status: Int, _ name: String, _ part: String = "", _ send: () -> Void) throws {
                send()
                let answer = try client.answer()
                #expect(answer.status == status)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.headers["x-request-id"]?.hasPrefix("cr_") == true)
                #expect(answer.text.hasPrefix(#"{"type":"/problems/\#(name)","#), "\(answer.text)")
                #expect(part.isEmpty || answer.text.contains(part), "\(answer.text)")
                client.get("/problems/\(name)")
                #expect(try client.answer().status == 200)
            }
            let good = #""token":"tok_visa","amount":100,"currency":"usd""#
            try refused(422, "invalid-field", #""pointer":"/amount""#) {
                client.post("/v1/charges", #"{"token":"tok_visa","amount":"100","currency":"usd"}"#, extra: json)
            }
            try refused(422, "invalid-field", "amuont") {
                client.post("/v1/charges", #"{\#(good),"amuont":1}"#, extra: json)
            }
            try refused(422, "card-number", #""pointer":"/token""#) {
                client.post("/v1/charges", #"{"token":"4242424242424242","amount":1,"currency":"usd"}"#, extra: json)
            }
            try refused(422, "invalid-field", "checkout, batch") {
                client.post("/v1/charges?lane=chekout", "{\(good)}", extra: json)
            }
            try refused(400, "invalid-body") { client.post("/v1/charges", "{", extra: json) }
            try refused(400, "invalid-header") {
                client.post("/v1/charges", "{\(good)}", extra: json + "Idempotency-Key: \"\"\r\n")
            }
            try refused(415, "media-type") { client.post("/v1/charges", "{\(good)}") }
            try refused(404, "not-seen") { client.get("/v1/charges/unheard-of") }
            try refused(404, "not-found") { client.get("/v2/charges") }
            try refused(405, "method-not-allowed", "POST") { client.get("/v1/charges") }
        }
    }

    @Test func `a body that is too large is not read`() async throws {
        let broker = try await PrivateBroker.shared()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix()) { api in
            let client = try api.client()
            client.send("POST /v1/charges HTTP/1.1\r\nHost: t\r\n\(json)Content-Length: 262145\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.status == 413)
            #expect(answer.text.contains("262144 bytes"))
        }
    }

    @Test func `the API describes itself`() async throws {
        let broker = try await PrivateBroker.shared()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix()) { api in
            let client = try api.client()
            client.get("/openapi.json")
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.text.contains(#""openapi": "3.1.0""#))
        }
    }
}
