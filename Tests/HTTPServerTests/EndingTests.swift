import HTTPServer
import TestSupport
import Testing

@Suite struct EndingTests {
    private static let keep: @Sendable (HTTPExchange, Kept) -> Void = { exchange, kept in
        if exchange.path == "/now" { return _ = exchange.respond(HTTPResponse(200, text: "now")) }
        exchange.onClosed = { kept.tell("\($0)") }
        kept.exchanges.append(exchange)
        kept.tell("kept")
    }

    @Test func `a taken port is an error that says so`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let taken = HTTPAddress(host: "127.0.0.1", port: port)
            let error = await #expect(throws: HTTPListenError.self) { try await server.listen(at: taken) }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): the port is taken")
            #expect(error?.isTaken == true)
        }
    }

    @Test func `an unknown host is an error with the resolver's words`() async throws {
        try await TestServer.with(handler: Self.keep) { server, _ in
            let error = await #expect(throws: HTTPListenError.self) {
                try await server.listen(at: HTTPAddress(host: "no.such.host.invalid", port: 0))
            }
            #expect(error?.isTaken == false)
        }
    }

    @Test func `stopping ends those that wait`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let clients = try (0..<20).map { _ in try RawHTTPClient(port: port) }
            for client in clients { client.get("/wait") }
            var events = server.events.makeAsyncIterator()
            for _ in clients { #expect(await events.next() == "kept") }
            await server.on { listener, _ in listener?.stop() }
            for _ in clients { #expect(await events.next() == "stopped") }
            for client in clients { #expect(throws: (any Error).self) { try client.answer() } }
            #expect(throws: RawHTTPClient.Failure.self) { try RawHTTPClient(port: port) }
            #expect(await server.on { _, kept in kept.exchanges[0].respond(HTTPResponse(200)) } == false)
        }
    }

    @Test func `stopping from within a handler is safe`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            await server.on { listener, kept in
                kept.onNext = { _ in listener?.stop() }
            }
            let client = try RawHTTPClient(port: port)
            client.get("/wait")
            #expect(throws: (any Error).self) { try client.answer() }
        }
    }

    @Test func `draining ends idle connections, lets open ones finish, and accepts no more`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let idle = try RawHTTPClient(port: port)
            idle.get("/now")
            #expect(try idle.answer().text == "now")
            let open = try RawHTTPClient(port: port)
            open.get("/wait")
            var events = server.events.makeAsyncIterator()
            #expect(await events.next() == "kept")
            let drained = server.startDrain(nanoseconds: 60_000_000_000)
            #expect(throws: RawHTTPClient.Failure.ended) { try idle.answer() }
            #expect(throws: RawHTTPClient.Failure.self) { try RawHTTPClient(port: port) }
            await server.on { _, kept in kept.exchanges[0].respond(HTTPResponse(200, text: "done")) }
            let answer = try open.answer()
            #expect(answer.text == "done")
            #expect(answer.headers["connection"]?.lowercased() == "close")
            await drained.value
            #expect(await events.next() == "answered")
        }
    }

    @Test func `a drain's deadline ends what still waits`() async throws {
        try await TestServer.with(handler: Self.keep) { server, port in
            let client = try RawHTTPClient(port: port)
            client.get("/wait")
            var events = server.events.makeAsyncIterator()
            #expect(await events.next() == "kept")
            await server.drain(nanoseconds: 20_000_000)
            #expect(await events.next() == "stopped")
        }
    }
}
