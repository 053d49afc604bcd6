import HTTPServer
import TestSupport
import Testing

@Suite struct ExchangeTests {
    /// Answers with what it was asked.
    private static let echo: @Sendable (HTTPExchange, Kept) -> Void = { exchange, _ in
        let query = exchange.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        let text = "\(exchange.method) \(exchange.path) [\(query)] \(String(decoding: exchange.body, as: UTF8.self))"
        exchange.respond(HTTPResponse(200, text: text).with("X-Seen", exchange.header("x-given") ?? "none"))
    }

    @Test func `a connection is kept and answers in order`() async throws {
        try await TestServer.with(handler: Self.echo) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/a%20b?x=1%2B1&y=a+b", extra: "X-Given: yes\r\n")
            var answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.text == "GET /a b [x=1+1,y=a b] ")
            #expect(answer.headers["x-seen"] == "yes")
            #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
            client.post("/charge", "amount=1999")
            answer = try client.answer()
            #expect(answer.text == "POST /charge [] amount=1999")
        }
    }

    @Test func `pipelined requests are answered one after the other`() async throws {
        try await TestServer.with(handler: Self.echo) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send((1...50).map { "GET /\($0) HTTP/1.1\r\nHost: t\r\n\r\n" }.joined())
            for number in 1...50 {
                #expect(try client.answer().text == "GET /\(number) [] ")
            }
        }
    }

    @Test func `HEAD has the headers of GET and no body`() async throws {
        try await TestServer.with(handler: Self.echo) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/x", method: "HEAD")
            let answer = try client.answer(head: true)
            #expect(answer.headers["content-length"] == "11")
            client.get("/y")
            #expect(try client.answer().text == "GET /y [] ")
        }
    }

    @Test func `a body that comes byte by byte is whole when the handler sees it`() async throws {
        try await TestServer.with(handler: Self.echo) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n")
            for byte in "0123456789".utf8 { client.send([byte]) }
            #expect(try client.answer().text == "POST /slow [] 0123456789")
        }
    }

    @Test func `a chunked body is put together`() async throws {
        try await TestServer.with(handler: Self.echo) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send("POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
            client.send("3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
            #expect(try client.answer().text == "POST /c [] abcdefg")
        }
    }

    @Test func `a body of a megabyte passes, both ways`() async throws {
        try await TestServer.with(handler: { exchange, _ in
            exchange.respond(HTTPResponse(200, json: exchange.body))
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            let body = String(repeating: "x", count: 1 << 20)
            client.post("/big", body)
            #expect(try client.answer().text == body)
        }
    }

    @Test func `an answer may come in chunks`() async throws {
        try await TestServer.with(handler: { exchange, _ in
            var response = HTTPResponse(200, text: String(repeating: "y", count: 100_000))
            response.isChunked = true
            exchange.respond(response)
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/")
            #expect(try client.answer().body.count == 100_000)
        }
    }

    @Test func `only the first answer counts`() async throws {
        try await TestServer.with(handler: { exchange, kept in
            let first = exchange.respond(HTTPResponse(200, text: "first"))
            let second = exchange.respond(HTTPResponse(500, text: "second"))
            kept.tell("\(first) \(second)")
        }) { server, port in
            let client = try RawHTTPClient(port: port)
            client.get("/")
            #expect(try client.answer().text == "first")
            #expect(await server.events.first { _ in true } == "true false")
        }
    }

    @Test func `a header that HTTP does not allow cannot be smuggled into an answer`() async throws {
        try await TestServer.with(handler: { exchange, _ in
            exchange.respond(HTTPResponse(200, text: "ok").with("X-Bad", "a\r\nSet-Cookie: b"))
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/")
            let answer = try client.answer()
            #expect(answer.headers["set-cookie"] == nil)
            #expect(answer.headers["x-bad"] == nil)
        }
    }
}
