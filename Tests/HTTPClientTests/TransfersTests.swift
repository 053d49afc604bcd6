import EventLoop
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct TransfersTests {
    @Test func aPostArrivesAsItWasSaidAndItsAnswerComesBack() async throws {
        try await withServer(script: { _ in
            [.reply(402, "{}", [("Request-Id", "req_1"), ("IDEMPOTENT-REPLAYED", " true "), ("X-Other", "1")])]
        }) { transfers, server in
            let reply = try await transfers.perform(post(server.base + "/v1/charges?a=1", "amount=1&x=\u{0}y")).reply
            #expect(reply.status == 402)
            #expect(reply.body == Array("{}".utf8))
            #expect(reply.version == .http11)
            #expect(reply.madeConnection)
            #expect(reply.headers.value("request-id") == "req_1")
            #expect(reply.headers.value("idempotent-replayed") == "true")
            #expect(reply.headers.value("retry-after") == nil)
            #expect(reply.headers.value("x-other") == nil)
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /v1/charges?a=1 HTTP/1.1")
            #expect(request.text == "amount=1&x=\u{0}y")
            #expect(request.headers["idempotency-key"] == "order-1")
            #expect(request.headers["authorization"] == "Basic c2tfdGVzdF94Og==")
            #expect(request.headers["user-agent"] == "test/1")
            #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(request.headers["expect"] == nil)
        }
    }

    @Test func methodsAndHeadersDoNotLeakIntoTheNextRequestOnTheSameHandle() async throws {
        try await withServer(script: { _ in [.reply(200, "")] }) { transfers, server in
            let long = String(repeating: "k", count: 2000)
            _ = try await transfers.perform(post(server.base + "/1", String(repeating: "b", count: 5000), key: long))
                .reply
            _ = try await transfers.perform(get(server.base + "/2")).reply
            var put = TransferRequest(.put, server.base + "/3", headers: plainHeaders, body: Array("{}".utf8))
            put.fields = (0..<9).map { _ in HeaderField("X-N", "v") }
            _ = try await transfers.perform(put).reply
            _ = try await transfers.perform(TransferRequest(.delete, server.base + "/4", headers: plainHeaders)).reply
            _ = try await transfers.perform(post(server.base + "/5", "")).reply
            let requests = server.requests
            #expect(
                requests.map(\.line) == [
                    "POST /1 HTTP/1.1", "GET /2 HTTP/1.1", "PUT /3 HTTP/1.1", "DELETE /4 HTTP/1.1", "POST /5 HTTP/1.1",
                ])
            #expect(requests.map(\.body.count) == [5000, 0, 2, 0, 0])
            #expect(requests.map { $0.headers["idempotency-key"]?.count } == [2000, nil, nil, nil, 7])
            #expect(requests.map { $0.headers["x-n"] } == [nil, nil, "v", nil, nil])
            #expect(requests[1].headers["content-length"] == nil)
            #expect(requests[4].headers["content-length"] == "0")
            #expect(Set(requests.map(\.connection)) == [0])
        }
    }

    @Test func aThousandRequestsUseOneConnectionAndNoOtherThread() async throws {
        let server = ScriptedServer { [.reply(200, $0.text)] }
        defer { server.stop() }
        try await onTestLoop { room in
            let transfers = Transfers(
                loop: room.loop, settings: TransferSettings(atOnce: 8), capturing: wantedHeaders)
            defer { transfers.shutdown() }
            let before = room.loop.foreignEnqueues
            for number in 0..<1000 {
                let reply = try await transfers.perform(post(server.base + "/", "n=\(number)", key: "k\(number)")).reply
                guard reply.body == Array("n=\(number)".utf8) else { throw Unexpected(outcome: "\(reply)") }
            }
            #expect(room.loop.foreignEnqueues == before)
            #expect(transfers.connectionsMade == 1)
        }
        #expect(server.requests.map { $0.headers["idempotency-key"] } == (0..<1000).map { "k\($0)" })
        #expect(server.connectionCount == 1)
    }

    @Test func threeHundredAtOnceGetTheirOwnAnswersAndKeepTheirConnections() async throws {
        try await withServer(script: { [.reply(200, $0.text)] }) { transfers, server in
            for _ in 0..<5 {
                let outcomes = await transfers.performAll((0..<300).map { post(server.base + "/", "n=\($0)") })
                let bodies = try outcomes.map { String(decoding: try $0.reply.body, as: UTF8.self) }
                #expect(bodies == (0..<300).map { "n=\($0)" })
            }
            #expect(transfers.openCount == 0)
            #expect(server.requests.count == 1500)
            #expect(server.connectionCount <= 300)
        }
    }

    @Test func chunkedAnswersAreJoinedAndInterimOnesPassedOver() async throws {
        try await withServer(script: { _ in
            [
                .send("HTTP/1.1 103 Early Hints\r\nRequest-Id: early\r\n\r\n"),
                .send("HTTP/1.1 200 OK: yes\r\nTransfer-Encoding: chunked\r\nretry-after:7\r\n\r\n5\r\nhello\r\n"),
                .send("6\r\n world\r\n0\r\n\r\n"),
            ]
        }) { transfers, server in
            for _ in 0..<2 {
                let reply = try await transfers.perform(get(server.base + "/")).reply
                #expect(String(decoding: reply.body, as: UTF8.self) == "hello world")
                #expect(reply.headers.value("request-id") == nil)
                #expect(reply.headers.value("retry-after") == "7")
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func aRedirectIsAnAnswerAndIsNotFollowed() async throws {
        try await withServer(script: { _ in [.reply(302, "", [("Location", "/elsewhere")])] }) { transfers, server in
            let reply = try await transfers.perform(post(server.base + "/v1/charges", "a=1")).reply
            #expect(reply.status == 302)
            #expect(server.requests.count == 1)
        }
    }

    @Test func anAnswerWithoutALengthEndsWithItsConnection() async throws {
        try await withServer(script: { _ in [.send("HTTP/1.1 200 OK\r\n\r\nall of it"), .close] }) {
            transfers, server in
            for _ in 0..<3 {
                let reply = try await transfers.perform(get(server.base + "/")).reply
                #expect(String(decoding: reply.body, as: UTF8.self) == "all of it")
                #expect(reply.madeConnection)
            }
        }
    }

    @Test func moreThanTheLimitIsRefusedBeforeItIsSent() async throws {
        try await withServer(TransferSettings(atOnce: 2), script: { _ in [.reply(200, "")] }) { transfers, server in
            let outcomes = await transfers.performAll((0..<3).map { _ in get(server.base + "/") })
            #expect(try outcomes.prefix(2).map { try $0.reply.status } == [200, 200])
            let failure = try outcomes[2].failure
            #expect(failure.kind == .overLimit)
            #expect(!failure.mayHaveBeenSent)
            #expect(try await transfers.perform(get(server.base + "/")).reply.status == 200)
        }
    }

    @Test func aHeaderThatWouldBeginAnotherIsRefused() async throws {
        try await withTransfers { transfers in
            let failure = try await transfers.perform(post("http://127.0.0.1:1/", "", key: "a\r\nX-Evil: 1")).failure
            #expect(failure.kind == .badRequest)
            #expect(!failure.mayHaveBeenSent)
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/", ""])
    func onlyWholeWebAddressesAreTaken(url: String) async throws {
        try await withTransfers { transfers in
            let failure = try await transfers.perform(get(url)).failure
            #expect(failure.kind == .badRequest)
            #expect(!failure.mayHaveBeenSent)
        }
    }
}
