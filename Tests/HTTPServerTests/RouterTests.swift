import HTTPServer
import TestSupport
import Testing

@Suite struct RouterTests {
    private static let routed: @Sendable (HTTPExchange, Kept) -> Void = { exchange, _ in
        let router = HTTPRouter()
        router.on("POST", "/v1/charges") { exchange, _ in exchange.respond(HTTPResponse(202, text: "made")) }
        router.on("GET", "/v1/charges/{id}") { exchange, values in
            exchange.respond(HTTPResponse(200, text: values["id"] ?? "?"))
        }
        router.on("DELETE", "/v1/charges/{id}") { exchange, _ in exchange.respond(HTTPResponse(204)) }
        router.route(exchange)
    }

    @Test(arguments: [
        ("POST", "/v1/charges", 202, "made"), ("GET", "/v1/charges/order-1", 200, "order-1"),
        ("GET", "/v1/charges/shop%3Aa%2Fb", 200, "shop:a/b"), ("GET", "/v1/charges/", 404, "not found\n"),
        ("GET", "/v1/charges/%zz", 404, "not found\n"), ("GET", "/V1/charges/x", 404, "not found\n"),
        ("GET", "/v1/charges/a/b", 404, "not found\n"),
    ])
    func `paths find their handlers`(method: String, path: String, status: Int, text: String) async throws {
        try await TestServer.with(handler: Self.routed) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get(path, method: method)
            let answer = try client.answer()
            #expect(answer.status == status)
            #expect(answer.text == text)
        }
    }

    @Test func `a known path with another method says which are allowed`() async throws {
        try await TestServer.with(handler: Self.routed) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get("/v1/charges/x", method: "PUT")
            var answer = try client.answer()
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, DELETE, HEAD")
            client.get("/v1/charges/x", method: "HEAD")
            answer = try client.answer(head: true)
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == "1")
        }
    }
}

@Suite struct TextTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65535),
    ])
    func `an address is read and written`(text: String, host: String, port: Int) throws {
        let address = try #require(HTTPAddress(text))
        #expect(address.host == host)
        #expect(Int(address.port) == port)
        #expect(address.description == text)
        #expect(address.isLoopback)
    }

    @Test(arguments: ["", "8080", ":8080", "host", "host:", "host:70000", "::1:80", "host:-1"])
    func `what is not an address is refused`(text: String) {
        #expect(HTTPAddress(text) == nil)
    }

    @Test func `a form keeps order, repeats and empty values`() throws {
        let fields = try #require(HTTPForm.parse(Array("a=1&b=&c&a=%C3%A9+%26&metadata%5Bx%5D=y".utf8)))
        #expect(fields.map(\.name) == ["a", "b", "c", "a", "metadata[x]"])
        #expect(fields.map(\.value) == ["1", "", "", "é &", "y"])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%c3=1"])
    func `a malformed form is refused`(text: String) {
        #expect(HTTPForm.parse(Array(text.utf8)) == nil)
    }
}

@Suite struct HealthTests {
    @Test(arguments: [
        ("/livez", true, 200, "ok\n"), ("/healthz", false, 200, "ok\n"), ("/readyz", true, 200, "ready\n"),
        ("/readyz", false, 503, "not ready\n"),
        ("/readyz?verbose", false, 503, "[+] broker: connected\n[-] results: no consumer\nnot ready\n"),
        ("/readyz?verbose=1", true, 200, "[+] broker: connected\n[+] results: no consumer\nready\n"),
        ("/metrics", true, 200, "up 1\n"),
    ])
    func `the admin calls say how it is`(target: String, isGood: Bool, status: Int, text: String) async throws {
        try await TestServer.with(handler: { exchange, _ in
            let router = HTTPRouter()
            HealthRoutes.add(
                to: router,
                checks: {
                    [
                        HealthCheck("broker", isGood: true, "connected"),
                        HealthCheck("results", isGood: isGood, "no consumer"),
                    ]
                }, metrics: { Array("up 1\n".utf8) })
            router.route(exchange)
        }) { _, port in
            let client = try RawHTTPClient(port: port)
            client.get(target)
            let answer = try client.answer()
            #expect(answer.status == status)
            #expect(answer.text == text)
        }
    }
}
