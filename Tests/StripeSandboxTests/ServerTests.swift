import EventLoop
import HTTPClient
import Settings
import TestSupport
import Testing

@testable import StripeSandbox

/// The sandbox behind a socket: what a client meets on the wire.
@Suite struct ServerTests {
    private static let headers = ConstantHeaders([
        ("Authorization", "Bearer sk_test_wire12345678"), ("Content-Type", "application/x-www-form-urlencoded"),
    ])
    private static let captured = HeaderNames([
        "request-id", "idempotent-replayed", "original-request", "stripe-version", "content-type",
    ])

    /// A running sandbox and a client, on one loop.
    private struct Wire {
        let role: SandboxRole
        let transfers: Transfers
        let base: String

        func post(_ path: String, _ body: String, key: String = "k", timeout: Int = 20_000) async -> TransferOutcome {
            await transfers.perform(
                TransferRequest(
                    .post, base + path, headers: headers, fields: [HeaderField("Idempotency-Key", key)],
                    body: Array(body.utf8), timeoutMilliseconds: timeout))
        }

        func charge(key: String = "k", timeout: Int = 20_000) async -> TransferOutcome {
            await post(
                "/v1/charges", "amount=500&currency=usd&source=tok_visa&metadata[chargeline_id]=\(key)", key: key,
                timeout: timeout)
        }

        /// Without the wire: libcurl sends a request again by itself when a connection that it used before is reset.
        func faults(_ json: String) async throws {
            var request = SandboxRequest("PUT", "/_sandbox/faults")
            request.body = Array(json.utf8)
            let reply = await role.handle(request)
            try #require(reply.status == 200)
        }

        /// Without the wire.
        var charged: String? {
            get async throws {
                try JSONTree(await role.handle(SandboxRequest("GET", "/_sandbox/stats")).body)["charged"]
            }
        }

        func stats(_ path: String) async throws -> String? {
            let outcome = await transfers.perform(TransferRequest(.get, base + "/_sandbox/stats", headers: headers))
            return try JSONTree(try outcome.reply.body)[path]
        }
    }

    private func wired<Result: Sendable>(
        _ settings: SandboxSettings = SandboxSettings(), _ body: @escaping @Sendable (Wire) async throws -> Result
    ) async throws -> Result {
        try await onTestLoop { room in
            let role = SandboxRole(loop: room.loop, settings: settings, listen: HostPort(host: "127.0.0.1", port: 0))
            let port = try await role.start()
            let transfers = Transfers(
                loop: room.loop, settings: TransferSettings(atOnce: 256), capturing: Self.captured)
            let result = try await body(Wire(role: role, transfers: transfers, base: "http://127.0.0.1:\(port)"))
            transfers.shutdown()
            await role.drain()
            return result
        }
    }

    @Test func `charges over one kept connection`() async throws {
        try await wired { wire in
            let first = try await wire.charge().reply
            #expect(first.status == 200 && first.headers.value("content-type") == "application/json")
            #expect(first.headers.value("original-request") == first.headers.value("request-id"))
            let second = try await wire.charge().reply
            #expect(second.body == first.body && second.headers.value("idempotent-replayed") == "true")
            #expect(wire.transfers.connectionsMade == 1)
        }
    }

    @Test func `many at once are all charged once`() async throws {
        var settings = SandboxSettings()
        settings.latency = SandboxSettings.Latency(TimeSpan(milliseconds: 1), TimeSpan(milliseconds: 30))
        try await wired(settings) { wire in
            let requests = (0..<200).map { number in
                TransferRequest(
                    .post, wire.base + "/v1/charges", headers: Self.headers,
                    fields: [HeaderField("Idempotency-Key", "k\(number)")],
                    body: Array("amount=500&currency=usd&source=tok_visa&metadata[chargeline_id]=k\(number)".utf8))
            }
            var left = requests.count
            await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                for request in requests {
                    wire.transfers.start(request) { outcome in
                        if case .reply(let reply) = outcome {
                            #expect(reply.status == 200)
                        } else {
                            Issue.record("\(outcome)")
                        }
                        left -= 1
                        if left == 0 { done.resume() }
                    }
                }
            }
            let charged = [try await wire.stats("charged"), try await wire.stats("charged_ids")]
            #expect(charged == ["200", "200"])
        }
    }

    static let broken: [(String, TransferFailure.Kind, String)] = [
        ("reset_before_effect", .reset, "0"), ("reset_after_effect", .reset, "1"), ("truncated", .truncated, "1"),
        ("hang_before_effect", .timeoutAfterConnect, "0"), ("hang_after_effect", .timeoutAfterConnect, "1"),
    ]

    @Test(arguments: broken)
    func `breaks on the wire`(_ fault: String, _ kind: TransferFailure.Kind, _ charged: String) async throws {
        try await wired { wire in
            try await wire.faults(#"[{"fault": "\#(fault)", "times": 1}]"#)
            let outcome = await wire.charge(timeout: fault.hasPrefix("hang") ? 300 : 20_000)
            guard case .failed(let failure) = outcome else {
                Issue.record("answered: \(outcome)")
                return
            }
            #expect(failure.kind == kind && failure.mayHaveBeenSent)
            #expect(try await wire.stats("charged") == charged)
            let next = try await wire.charge().reply
            #expect(next.status == 200 && (next.headers.value("idempotent-replayed") == "true") == (charged == "1"))
        }
    }

    @Test func `answers that are not Stripe's`() async throws {
        try await wired { wire in
            try await wire.faults(#"[{"fault": "garbage", "times": 1}, {"fault": "html_502", "times": 1}]"#)
            let page = try await wire.charge().reply
            #expect(page.status == 502 && page.headers.value("content-type") == "text/html")
            let noise = try await wire.charge().reply
            #expect(
                noise.status == 200 && noise.headers.value("request-id") == nil && (try? JSONTree(noise.body)) == nil)
        }
    }

    @Test func `a drain gives the answers that are due`() async throws {
        var settings = SandboxSettings()
        settings.latency = SandboxSettings.Latency(TimeSpan(milliseconds: 300))
        try await wired(settings) { wire in
            let answered = AsyncStream.makeStream(of: Int.self)
            wire.transfers.start(
                TransferRequest(
                    .post, wire.base + "/v1/charges", headers: Self.headers,
                    body: Array("amount=500&currency=usd&source=tok_visa".utf8))
            ) { outcome in
                if case .reply(let reply) = outcome { answered.continuation.yield(reply.status) }
                answered.continuation.finish()
            }
            while try await wire.charged == "0" { await Task.yield() }
            await wire.role.drain(within: .seconds(10))
            var statuses: [Int] = []
            for await status in answered.stream { statuses.append(status) }
            #expect(statuses == [200])
        }
    }

    @Test func `a drain does not wait for those that hang`() async throws {
        try await wired { wire in
            try await wire.faults(#"[{"fault": "hang_after_effect"}]"#)
            let ended = AsyncStream.makeStream(of: Bool.self)
            wire.transfers.start(
                TransferRequest(
                    .post, wire.base + "/v1/charges", headers: Self.headers,
                    body: Array("amount=500&currency=usd&source=tok_visa".utf8), timeoutMilliseconds: 60_000)
            ) { outcome in
                if case .failed = outcome { ended.continuation.yield(true) }
                ended.continuation.finish()
            }
            while try await wire.charged == "0" { await Task.yield() }
            await wire.role.drain(within: .seconds(60))
            for await failed in ended.stream { #expect(failed) }
        }
    }

    @Test func `a taken port is said in a sentence`() async throws {
        let taken = ListeningSocket()
        defer { taken.close() }
        let port = UInt16(taken.port)
        let message = try await onTestLoop { room in
            let role = SandboxRole(loop: room.loop, listen: HostPort(host: "127.0.0.1", port: port))
            do throws(SandboxRole.StartFailure) {
                try await role.start()
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(message.contains("127.0.0.1:\(port)"))
    }

    @Test func `too much is refused`() async throws {
        try await wired { wire in
            let outcome = await wire.post("/v1/charges", "description=" + String(repeating: "x", count: 2 << 20))
            if case .reply(let reply) = outcome { #expect(reply.status == 413) }
            let charged = try await wire.stats("charged")
            #expect(charged == "0")
        }
    }
}

extension TransferOutcome {
    /// The answer; anything else fails the test.
    var reply: HTTPReply {
        get throws {
            switch self {
            case .reply(let reply): return reply
            case .failed(let failure): throw failure
            }
        }
    }
}
