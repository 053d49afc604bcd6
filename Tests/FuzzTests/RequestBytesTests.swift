import Settings
import StripeSandbox
import TestSupport
import Testing

/// Bytes on the port of an HTTP server of ours: the sandbox's, whose listener is the API's too.
@Suite(.timeLimit(.minutes(30)))
struct RequestBytesTests {
    @Test func `HTTP requests`() async throws {
        let test = TestLoop()
        let role = SandboxRole(
            loop: test.loop, settings: SandboxSettings(), listen: HostPort(host: "127.0.0.1", port: 0))
        let port = try await Task(executorPreference: test.loop) { try await role.start() }.value
        let form = "amount=1999&currency=usd&source=tok_visa&metadata[a]=b"
        let corpus = [
            "POST /v1/charges HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk_test_1\r\nIdempotency-Key: k\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)",
            "POST /v1/charges HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\namoun\r\n0\r\n\r\n",
            "GET /v1/payment_intents/search?query=metadata%5B%27a%27%5D%3A%27b%27 HTTP/1.1\r\nHost: x\r\n"
                + "Authorization: Basic c2tfdGVzdF8xOg==\r\n\r\n",
            "PUT /_sandbox/faults HTTP/1.1\r\nHost: x\r\nContent-Length: 46\r\n\r\n"
                + #"[{"fault":"slow","times":1,"match":{"token":"a"}}]"#,
        ]
        // A round is a connection: a tenth of them is as much as all others.
        var mutator = Mutator(corpus, seed: Fuzz.seed)
        for round in 0..<max(100, Fuzz.rounds / 10) {
            let client = try RawHTTPClient(port: port)
            client.send(mutator.input())
            client.hangUp()
            guard round % 100 == 99 else { continue }
            // Faults may have been set, so an answer of any status is one.
            let other = try RawHTTPClient(port: port)
            other.get("/_sandbox/stats")
            #expect(try other.answer().status == 200, "round \(round) of seed \(Fuzz.seed)")
        }
        print("fuzzed HTTP requests: \(max(100, Fuzz.rounds / 10)) connections from seed \(Fuzz.seed)")
        await Task(executorPreference: test.loop) { await role.drain() }.value
        test.stop()
    }
}
