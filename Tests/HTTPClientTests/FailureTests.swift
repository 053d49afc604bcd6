import CLinux
import EventLoop
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct FailureTests {
    typealias Step = ScriptedServer.Step

    /// What a server does after it has read a request, and what must come of it. All of these may have been sent.
    static let afterReading: [(name: String, steps: [Step], kind: TransferFailure.Kind)] = [
        ("closes", [.close], .reset),
        ("resets", [.reset], .reset),
        ("cuts the head", [.send("HTTP/1.1 200 OK\r\nContent-"), .close], .truncated),
        ("cuts the body", [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close], .truncated),
        (
            "cuts a chunk", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf"), .close],
            .truncated
        ),
        (
            "resets the body", [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .hang],
            .timeoutAfterConnect
        ),
        ("says nothing", [.hang], .timeoutAfterConnect),
        ("speaks garbage", [.send("\u{1}garbage\r\n\r\n"), .close], .notHTTP),
        ("answers too much", [.reply(200, String(repeating: "x", count: 5000))], .tooLarge),
    ]

    @Test(arguments: afterReading)
    func whatHappensAfterTheRequestWasReadMayHaveMovedMoney(
        name: String, steps: [Step], kind: TransferFailure.Kind
    ) async throws {
        try await withServer(script: { _ in steps }) { transfers, server in
            // Only who waits for ever is to run out of time, however slow the machine.
            let waits = kind == .timeoutAfterConnect
            var request = post(server.base + "/", "a=1", timeout: waits ? 1000 : 50_000)
            request.answerBytesMax = 4999
            let failure = try await transfers.perform(request).failure
            if kind != .truncated || failure.kind != .reset { #expect(failure.kind == kind, "\(failure)") }
            #expect(failure.mayHaveBeenSent)
            #expect(!failure.message.isEmpty)
            #expect(waits || server.requests.count == 1)
        }
    }

    @Test func theHandleOfAFailedTransferServesTheNext() async throws {
        try await withServer(script: { $0.index % 2 == 0 ? [.reset] : [.reply(200, "ok")] }) { transfers, server in
            for _ in 0..<20 {
                let failure = try await transfers.perform(post(server.base + "/", "a=1")).failure
                let reply = try await transfers.perform(post(server.base + "/", "a=1")).reply
                #expect(failure.kind == .reset)
                #expect(reply.status == 200)
                // On the connection that served the last answer libcurl would send a reset request again by itself.
                server.dropConnections()
            }
        }
    }

    @Test func libcurlSendsAgainOnceAReusedConnectionDied() async throws {
        try await withServer(script: { $0.index == 1 ? [.reset] : [.reply(200, "\($0.index)")] }) { transfers, server in
            _ = try await transfers.perform(post(server.base + "/", "a=1", key: "one")).reply
            let reply = try await transfers.perform(post(server.base + "/", "a=1", key: "two")).reply
            #expect(String(decoding: reply.body, as: UTF8.self) == "2")
            #expect(server.requests.map { $0.headers["idempotency-key"] } == ["one", "two", "two"])
        }
    }

    @Test func aRequestSentAgainAndThenRefusedMayHaveBeenSent() async throws {
        try await withServer(script: { $0.index == 0 ? [.reply(200, "")] : [.stopListening, .reset] }) {
            transfers, server in
            _ = try await transfers.perform(post(server.base + "/", "a=1")).reply
            let failure = try await transfers.perform(post(server.base + "/", "a=1")).failure
            #expect(failure.kind == .connect)
            #expect(failure.mayHaveBeenSent)
        }
    }

    @Test func refusedIsNotSent() async throws {
        let port = RefusingPort()
        defer { port.close() }
        try await withTransfers { transfers in
            let requests = (0..<100).map { _ in post("http://127.0.0.1:\(port.number)/", "a=1") }
            for outcome in await transfers.performAll(requests) {
                let failure = try outcome.failure
                #expect(failure.kind == .connect)
                #expect(!failure.mayHaveBeenSent)
            }
        }
    }

    /// Descriptors of connections that failed are given to those that follow, also within one call of libcurl.
    @Test func failedAndGoodConnectionsTakeTurnsOnTheSameDescriptors() async throws {
        let port = RefusingPort()
        defer { port.close() }
        try await withServer(script: { [.reply(200, $0.text), .close] }) { transfers, server in
            for round in 0..<30 {
                let urls = (0..<40).map { $0 % 2 == 0 ? server.base + "/" : "http://127.0.0.1:\(port.number)/" }
                let outcomes = await transfers.performAll(urls.map { post($0, "n=\(round)") })
                for (index, outcome) in outcomes.enumerated() {
                    if index % 2 == 0 {
                        let body = try outcome.reply.body
                        #expect(body == Array("n=\(round)".utf8))
                    } else {
                        let kind = try outcome.failure.kind
                        #expect(kind == .connect)
                    }
                }
            }
        }
    }

    @Test func connectionsThatTheServerClosedWhileIdleAreNotUsed() async throws {
        try await withServer(script: { [.reply(200, $0.text)] }) { transfers, server in
            for round in 1...20 {
                for outcome in await transfers.performAll((0..<10).map { post(server.base + "/", "n=\($0)") }) {
                    let status = try outcome.reply.status
                    #expect(status == 200)
                }
                #expect(server.requests.count == round * 10)
                server.dropConnections()
            }
        }
    }

    @Test func anUnknownNameIsNotSentAndDoesNotBlockTheLoop() async throws {
        try await withServer(script: { _ in [.reply(200, "")] }) { transfers, server in
            var lookUp: TransferOutcome?
            transfers.start(get("http://no-such-host.invalid/")) { lookUp = $0 }
            // The resolver's thread has not been heard of while these went to and fro.
            for _ in 0..<3 { #expect(try await transfers.perform(get(server.base + "/")).reply.status == 200) }
            while lookUp == nil { _ = try await transfers.perform(get(server.base + "/")).reply }
            let failure = try #require(try lookUp?.failure)
            #expect(failure.kind == .resolve)
            #expect(!failure.mayHaveBeenSent)
        }
    }

    @Test func noConnectionInTimeIsNotSent() async throws {
        // A full backlog: Linux then drops the handshake's first packet.
        let listener = ListeningSocket()
        listen(listener.descriptor, 0)
        var fillers: [Int32] = []
        defer {
            for filler in fillers { close(filler) }
            listener.close()
        }
        for _ in 0..<3 { fillers.append(beginConnecting(to: listener.port)) }
        let port = listener.port
        try await withTransfers { transfers in
            let failure = try await transfers.perform(post("http://127.0.0.1:\(port)/", "a=1", timeout: 300)).failure
            #expect(failure.kind == .timeoutBeforeConnect)
            #expect(!failure.mayHaveBeenSent)
        }
    }

    @Test func aHandshakeNeverAnsweredIsNotSentAndHoldsNobodyUpForLonger() async throws {
        let listener = ListeningSocket()
        defer { listener.close() }
        let port = listener.port
        try await withTransfers(TransferSettings(atOnce: 64, connectTimeoutMilliseconds: 100)) { transfers in
            let requests = (0..<20).map { _ in post("https://127.0.0.1:\(port)/", "a=1", timeout: 400) }
            for outcome in await transfers.performAll(requests) {
                let failure = try outcome.failure
                #expect(failure.kind == .timeoutBeforeConnect)
                #expect(!failure.mayHaveBeenSent)
            }
        }
    }

    private func beginConnecting(to port: Int) -> Int32 {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}
