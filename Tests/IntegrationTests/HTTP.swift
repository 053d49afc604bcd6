import Foundation
import TestSupport

/// Calls over plain sockets, each by a thread of its own, so that any number can be under way.
enum HTTP {
    typealias Answer = RawHTTPClient.Answer

    /// Runs what blocks on a thread of its own.
    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
            onHelperThread { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// One call on a connection of its own.
    static func call(
        _ port: UInt16, _ method: String = "GET", _ target: String, body: String? = nil, headers: [String] = []
    ) async throws -> Answer {
        try await onThread {
            let client = try RawHTTPClient(port: port)
            var lines = headers.map { $0 + "\r\n" }.joined() + "Connection: close\r\n"
            if let body { lines += "Content-Length: \(body.utf8.count)\r\n" }
            client.send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(lines)\r\n\(body ?? "")")
            return try client.answer(head: method == "HEAD")
        }
    }

    /// Sends bytes as they are, and no more, and returns all that comes back until the server closes; empty where it
    /// only closes.
    static func raw(_ port: UInt16, _ bytes: [UInt8]) async throws -> String {
        try await onThread {
            let client = try RawHTTPClient(port: port)
            client.send(bytes)
            shutdown(client.descriptor, Int32(SHUT_WR))
            return String(decoding: (try? client.rest()) ?? [], as: UTF8.self)
        }
    }
}

extension RawHTTPClient.Answer {
    /// The body as a JSON object; empty where it is none.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
}
