import CLinux
import HTTPServer
import TestSupport
import Testing

@Suite struct WaitingTests {
    /// Keeps every exchange and says so.
    private static let keep: @Sendable (HTTPExchange, Kept) -> Void = { exchange, kept in
        let path = exchange.path
        exchange.onClosed = { kept.tell("\(path) \($0)") }
        kept.exchanges.append(exchange)
        kept.tell("\(path) kept")
    }

    @Test func `a thousand waiting exchanges are answered later, each with its own`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let clients = try (0..<1000).map { number in
                let client = try RawHTTPClient(port: port)
                client.get("/\(number)")
                return client
            }
            var kept = 0
            for await event in server.events where event.hasSuffix("kept") {
                kept += 1
                if kept == 1000 { break }
            }
            #expect(await server.on { listener, _ in listener?.exchangeCount } == 1000)
            await server.on { _, kept in
                for exchange in kept.exchanges.reversed() {
                    exchange.respond(HTTPResponse(200, text: exchange.path))
                }
            }
            for (number, client) in clients.enumerated() {
                #expect(try client.answer().text == "/\(number)")
            }
        }
    }

    @Test func `a client that hangs up while it waits is noticed, and the connection goes`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let client = try RawHTTPClient(port: port)
            client.get("/gone")
            var events = server.events.makeAsyncIterator()
            #expect(await events.next() == "/gone kept")
            client.hangUp()
            #expect(await events.next() == "/gone hungUp")
            let answered = await server.on { _, kept in kept.exchanges[0].respond(HTTPResponse(200, text: "late")) }
            #expect(!answered)
            // The next connection is served, and the gone one is not counted any more.
            let next = try RawHTTPClient(port: port)
            next.get("/next")
            #expect(await events.next() == "/next kept")
            #expect(await server.on { listener, _ in listener?.connectionCount } == 1)
        }
    }

    @Test func `a client that ends only its own half still gets an answer given at once`() async throws {
        try await TestServer.with(handler: { exchange, kept in
            kept.exchanges.append(exchange)
            exchange.onClosed = { _ in exchange.respond(HTTPResponse(202, text: "queued")) }
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/half")
            shutdown(client.descriptor, Int32(SHUT_WR))
            #expect(try client.answer().text == "queued")
        }
    }

    @Test(arguments: [true, false])
    func `an aborted exchange is a reset to its client`(later: Bool) async throws {
        try await TestServer.with(handler: { exchange, kept in
            exchange.onClosed = { kept.tell("\($0)") }
            if later {
                kept.exchanges.append(exchange)
                kept.tell("kept")
            } else {
                exchange.abort()
            }
        }) { server, port in
            let client = try RawHTTPClient(port: port)
            client.post("/", "amount=1")
            var events = server.events.makeAsyncIterator()
            if later {
                #expect(await events.next() == "kept")
                await server.on { _, kept in kept.exchanges[0].abort() }
            }
            #expect(throws: RawHTTPClient.Failure.code(ECONNRESET)) { try client.answer() }
            #expect(await events.next() == "aborted")
        }
    }

    @Test func `a truncated answer declares more than it sends, then ends`() async throws {
        try await TestServer.with(handler: { exchange, _ in
            var response = HTTPResponse(200, text: "0123456789")
            response.truncatedAt = 4
            exchange.respond(response)
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/")
            let answer = try client.answer(head: true)
            #expect(answer.headers["content-length"] == "10")
            #expect(try client.rest() == Array("0123".utf8))
        }
    }
}
