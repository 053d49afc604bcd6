import HTTPServer
import TestSupport
import Testing

@Suite struct LimitTests {
    private static let count: @Sendable (HTTPExchange, Kept) -> Void = { exchange, _ in
        exchange.respond(HTTPResponse(200, text: "\(exchange.body.count)"))
    }

    @Test func `a declared body over the limit is refused before it is sent`() async throws {
        var limits = HTTPLimits.standard
        limits.bodyBytes = 100
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.status == 413)
            #expect(answer.text == "the body is over 100 bytes\n")
            #expect(answer.headers["connection"]?.lowercased() == "close")
            #expect(throws: RawHTTPClient.Failure.ended) { try client.answer() }
        }
    }

    @Test func `a chunked body over the limit is refused when it gets there`() async throws {
        var limits = HTTPLimits.standard
        limits.bodyBytes = 100
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
            client.send("64\r\n\(String(repeating: "x", count: 100))\r\n")
            client.send("1\r\nx\r\n")
            #expect(try client.answer().status == 413)
        }
    }

    @Test(arguments: ["Content-Length: 50000000", "Transfer-Encoding: chunked"])
    func `a client that sends on sees its 413, not a reset`(framing: String) async throws {
        var limits = HTTPLimits.standard
        limits.bodyBytes = 100_000
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let client = try RawHTTPClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: t\r\n\(framing)\r\n\r\n")
            let piece = "186a0\r\n" + String(repeating: "x", count: 100_000) + "\r\n"
            for _ in 1...40 { client.send(piece) }
            #expect(try client.answer().status == 413)
        }
    }

    @Test func `a body of exactly the limit passes`() async throws {
        var limits = HTTPLimits.standard
        limits.bodyBytes = 100
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let client = try RawHTTPClient(port: port)
            client.post("/", String(repeating: "x", count: 100))
            #expect(try client.answer().text == "100")
        }
    }

    @Test func `a route has its own limit, or refuses on the headers alone`() async throws {
        let head: @Sendable (HTTPExchange) -> HTTPHead = { exchange in
            switch exchange.path {
            case "/large": .read(bodyBytes: 1000)
            case "/closed": .refuse(HTTPResponse(401, text: exchange.header("Authorization") ?? "no key"))
            default: .read(bodyBytes: 10)
            }
        }
        try await TestServer.with(head: head, handler: Self.count) { _, port in
            let body = String(repeating: "x", count: 500)
            var client = try RawHTTPClient(port: port)
            client.post("/large", body)
            #expect(try client.answer().text == "500")
            client.post("/small", body)
            #expect(try client.answer().status == 413)
            client = try RawHTTPClient(port: port)
            client.send("POST /closed HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.status == 401)
            #expect(answer.text == "no key")
        }
    }

    @Test func `too many headers are 431, a request without Host or with a bad length 400`() async throws {
        try await TestServer.with(handler: Self.count) { _, port in
            var client = try RawHTTPClient(port: port)
            client.get("/", extra: "X-Long: \(String(repeating: "x", count: 20_000))\r\n")
            #expect(try client.answer().status == 431)
            client = try RawHTTPClient(port: port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try client.answer().status == 400)
            client = try RawHTTPClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: twelve\r\n\r\n")
            #expect(try client.answer().status == 400)
        }
    }

    @Test func `a connection over the limit waits for its turn`() async throws {
        var limits = HTTPLimits.standard
        limits.connections = 2
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let first = try RawHTTPClient(port: port)
            let second = try RawHTTPClient(port: port)
            for client in [first, second] {
                client.get("/")
                #expect(try client.answer().status == 200)
            }
            let third = try RawHTTPClient(port: port)
            third.get("/")
            first.hangUp()
            #expect(try third.answer().status == 200)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        var limits = HTTPLimits.standard
        limits.idleSeconds = 1
        try await TestServer.with(limits: limits, handler: Self.count) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/")
            #expect(try client.answer().status == 200)
            #expect(throws: RawHTTPClient.Failure.ended) { try client.answer() }
        }
    }
}
