import Foundation
import TestSupport
import Testing

/// What no honest client sends.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct OddBytesTests {
    /// Bytes as they come, and with what the answer may begin; an answer may be missing altogether.
    private static let requests: [(what: String, bytes: String, answers: [String])] = [
        ("no HTTP", "\u{0}\u{1}\u{2}\r\n\r\n", ["HTTP/1.1 400", ""]),
        ("a TLS greeting", "\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n\r\n", ["HTTP/1.1 400", ""]),
        ("AMQP", "AMQP\u{0}\u{0}\u{9}\u{1}\r\n\r\n", ["HTTP/1.1 400", ""]),
        (
            "headers without end",
            "GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n",
            ["HTTP/1.1 431", "HTTP/1.1 413", "HTTP/1.1 400", ""]
        ),
        (
            "ten thousand headers",
            "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: 10_000) + "\r\n",
            ["HTTP/1.1 431", "HTTP/1.1 413", "HTTP/1.1 400", ""]
        ),
        (
            "a target without end", "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            ["HTTP/1.1 414", "HTTP/1.1 431", "HTTP/1.1 413", "HTTP/1.1 400", ""]
        ),
        (
            "two lengths", "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
            ["HTTP/1.1 400", ""]
        ),
        (
            "a length and chunks",
            "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ["HTTP/1.1 400", ""]
        ),
        (
            "a length hidden behind another",
            "GET /openapi.json HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\ncontent-length: 40\r\n\r\n",
            ["HTTP/1.1 400", ""]
        ),
        (
            "a length whose name ends in a space",
            "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\nConnection: close\r\n\r\n{}", ["HTTP/1.1 400"]
        ),
        (
            "a coding that nobody knows",
            "POST /charge HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            ["HTTP/1.1 400"]
        ),
        (
            "a length below zero", "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            ["HTTP/1.1 400", "HTTP/1.1 413", ""]
        ),
        (
            "a length beyond all", "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
            ["HTTP/1.1 400", "HTTP/1.1 413", ""]
        ),
        (
            "chunks that are none",
            "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            ["HTTP/1.1 400", ""]
        ),
        ("an old version", "GET /nothing HTTP/1.0\r\n\r\n", ["HTTP/1.1 404", "HTTP/1.0 404"]),
        (
            "escapes that are none",
            "GET /v1/charges/%zz%00%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ["HTTP/1.1 404"]
        ),
        ("a path upwards", "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ["HTTP/1.1 404"]),
        (
            "a smuggled line in an id",
            "GET /v1/charges/a%0d%0aX-Evil:%20b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ["HTTP/1.1 404"]
        ),
    ]

    @Test func `the API answers or closes, and serves on`() async throws {
        let site = try await Site.start()
        let (api, _) = try await site.apiAndWorker()
        for port in [api.port, api.admin] {
            for (what, bytes, answers) in Self.requests {
                // As Latin-1, so that each scalar is one byte.
                let answer = try await HTTP.raw(port, bytes.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
                await site.hear(answer)
                let fits = answers.contains { $0.isEmpty ? answer.isEmpty : answer.hasPrefix($0) }
                let isAdmin = port == api.admin && answer.hasPrefix("HTTP/1.1 4")
                #expect(fits || isAdmin, "\(what) at \(port): \(answer.prefix(200).debugDescription)")
                #expect(!answer.contains("X-Evil"), "\(what)")
            }
        }
        // Many that come and say nothing do not keep others out.
        let silent = try (0..<200).map { _ in try RawHTTPClient(port: api.port) }
        for client in silent { client.send("POST /v1/charges HTTP/1.1\r\nHost: x\r\nContent-Le") }
        let good = try await site.post(
            api, #"{"token":"tok_visa","amount":700,"currency":"usd"}"#, headers: ["Prefer: wait=10"])
        #expect(good.status == 200, "\(good.text)")
        for client in silent { client.hangUp() }
        #expect(try await site.ledger().charged.count == 1)
        #expect(await api.end() == .status(0))
        await site.finish()
    }

    /// Bodies that any AMQP client may publish. Each is parked or refused, and the neighbour behind them charged.
    @Test func `messages that cannot be charges`() async throws {
        let site = try await Site.start()
        let worker = try await site.worker()
        try await worker.untilReady()
        let folder = try temporaryDirectory("odd")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bodies: [(name: String, bytes: [UInt8])] = [
            ("empty", []), ("nul", [0]), ("not UTF-8", [0xFF, 0xFE, 0x00, 0xC0]),
            ("deep", Array(String(repeating: "[", count: 100_000).utf8)),
            ("large", Array("{\"x_a\":\"".utf8) + Array(repeating: 0x61, count: 2_000_000) + Array("\"}".utf8)),
            ("no id", Array(#"{"token":"tok_visa","amount":700,"currency":"usd"}"#.utf8)),
            ("twice", Array(#"{"id":"t","id":"u","token":"tok_visa","amount":700,"currency":"usd"}"#.utf8)),
            ("wrong amount", Array(#"{"id":"odd-1","token":"tok_visa","amount":7e2,"currency":"usd"}"#.utf8)),
            ("UTF-16", Array(#"{"id":"odd-2"}"#.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })),
        ]
        for (name, bytes) in bodies {
            let file = folder + "/body"
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let sent = try await site.run(
                tool: "sh",
                [
                    "-c", "exec amqp-publish -u \"$1\" -e \"$2\" -r checkout -C application/json -p < \"$3\"", "sh",
                    site.broker, "\(site.prefix).charges", file,
                ])
            #expect(sent.exit == .status(0), "\(name): \(sent.errors)")
        }
        let taker = try await ResultsTaker(site)
        let folderFile = folder + "/good.csv"
        try write("id,token,amount,currency\ngood,tok_visa,700,usd\n", to: folderFile)
        #expect(try await site.run(["send", folderFile]).exit == .status(0))
        try await taker.untilFinal(["good"])
        // Every one of them is in sight.
        while try await worker.metric("chargeline_parked_total") < Double(bodies.count - 1) {
            try await Task.sleep(for: .milliseconds(30))
        }
        #expect(try await site.ledger().charged == ["good": 1])
        #expect(await worker.end() == .status(0))
        await site.finish()
    }
}
