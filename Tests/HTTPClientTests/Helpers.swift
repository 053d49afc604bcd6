import EventLoop
import HTTPClient
import TestSupport
import Testing

let plainHeaders = ConstantHeaders([("User-Agent", "test/1"), ("Authorization", "Basic c2tfdGVzdF94Og==")])
let wantedHeaders = HeaderNames(["request-id", "idempotent-replayed", "retry-after", "content-type"])

/// Runs `body` with a client on a loop of its own, and shuts both down.
func withTransfers<Result: Sendable>(
    _ settings: TransferSettings = TransferSettings(atOnce: 512),
    _ body: @escaping @Sendable (Transfers) async throws -> Result
) async throws -> Result {
    try await onTestLoop { room in
        let transfers = Transfers(loop: room.loop, settings: settings, capturing: wantedHeaders)
        defer { transfers.shutdown() }
        return try await body(transfers)
    }
}

/// The same with a server beside it.
func withServer<Result: Sendable>(
    _ settings: TransferSettings = TransferSettings(atOnce: 512),
    greeting: (@Sendable (Int) -> [ScriptedServer.Step])? = nil,
    script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step],
    _ body: @escaping @Sendable (Transfers, ScriptedServer) async throws -> Result
) async throws -> Result {
    let server = ScriptedServer(greeting: greeting, script: script)
    defer { server.stop() }
    return try await withTransfers(settings) { try await body($0, server) }
}

extension Transfers {
    /// Starts all of them at once and waits for all.
    func performAll(_ requests: [TransferRequest]) async -> [TransferOutcome] {
        await withUnsafeContinuation { continuation in
            var outcomes: [TransferOutcome?] = Array(repeating: nil, count: requests.count)
            var left = requests.count
            for (index, request) in requests.enumerated() {
                start(request) { outcome in
                    outcomes[index] = outcome
                    left -= 1
                    if left == 0 { continuation.resume(returning: outcomes.compactMap { $0 }) }
                }
            }
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

    /// The failure; an answer fails the test.
    var failure: TransferFailure {
        get throws {
            guard case .failed(let failure) = self else { throw Unexpected(outcome: "\(self)") }
            return failure
        }
    }
}

struct Unexpected: Error {
    let outcome: String
}

func post(_ url: String, _ body: String, key: String = "order-1", timeout: Int = 50_000) -> TransferRequest {
    TransferRequest(
        .post, url, headers: plainHeaders, fields: [HeaderField("Idempotency-Key", key)], body: Array(body.utf8),
        timeoutMilliseconds: timeout)
}

func get(_ url: String, timeout: Int = 50_000) -> TransferRequest {
    TransferRequest(.get, url, headers: plainHeaders, timeoutMilliseconds: timeout)
}
