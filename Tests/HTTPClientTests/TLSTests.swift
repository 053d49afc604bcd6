import CLinux
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct TLSTests {
    @Test func aServerOfATrustedAuthorityIsSpokenTo() async throws {
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try await certificate.serve(["-no_tls1_3"])
        defer { server.signal(SIGTERM) }
        let settings = TransferSettings(atOnce: 4, certificateAuthorities: certificate.certificate)
        try await withTransfers(settings) { transfers in
            let reply = try await transfers.perform(get("https://127.0.0.1:\(port)/")).reply
            #expect(reply.status == 200)
            #expect(String(decoding: reply.body, as: UTF8.self).contains("TLSv1.2"))
        }
    }

    @Test func anUnknownAuthorityIsRefusedBeforeAnythingIsSent() async throws {
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try await certificate.serve()
        defer { server.signal(SIGTERM) }
        try await expectNotSent(.certificate, port: port, authorities: nil)
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        let certificate = try await TestCertificate.make("DNS:api.stripe.test,IP:127.0.0.2")
        defer { certificate.remove() }
        let (server, port) = try await certificate.serve()
        defer { server.signal(SIGTERM) }
        try await expectNotSent(.certificate, port: port, authorities: certificate.certificate)
    }

    @Test func aMissingFileOfAuthoritiesIsACertificateFault() async throws {
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try await certificate.serve()
        defer { server.signal(SIGTERM) }
        try await expectNotSent(.certificate, port: port, authorities: "/no/such/file.pem")
    }

    @Test func olderTLSThanOneTwoIsRefused() async throws {
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try await certificate.serve(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        defer { server.signal(SIGTERM) }
        try await expectNotSent(.tlsHandshake, port: port, authorities: certificate.certificate)
    }

    @Test func aServerWithoutTLSIsAFailedHandshake() async throws {
        // Speaks first, so that the client's handshake reads something that is no TLS.
        let talker = ScriptedServer(greeting: { _ in [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .hang] }) { _ in [] }
        defer { talker.stop() }
        try await expectNotSent(.tlsHandshake, port: talker.port, authorities: nil)
    }

    private func expectNotSent(_ kind: TransferFailure.Kind, port: Int, authorities: String?) async throws {
        let settings = TransferSettings(atOnce: 4, certificateAuthorities: authorities)
        try await withTransfers(settings) { transfers in
            let failure = try await transfers.perform(post("https://127.0.0.1:\(port)/", "a=1")).failure
            #expect(failure.kind == kind, "\(failure)")
            #expect(!failure.mayHaveBeenSent)
        }
    }
}

@Suite(.timeLimit(.minutes(8)), .enabled(if: access("/usr/sbin/nginx", X_OK) == 0, "needs Debian's nginx"))
struct HTTP2Tests {
    @Test func manyRequestsShareFewConnections() async throws {
        let upstream = ScriptedServer { [.reply(200, $0.text, [("Request-Id", "req_1")])] }
        defer { upstream.stop() }
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try certificate.serveHTTP2(upstream: upstream.port)
        defer {
            server.signal(SIGTERM)
            port.close()
        }
        let settings = TransferSettings(atOnce: 256, certificateAuthorities: certificate.certificate)
        try await withTransfers(settings) { transfers in
            let url = "https://127.0.0.1:\(port.number)/v1/charges"
            // Not listening yet is not sent.
            while case .failed(let failure) = await transfers.perform(get(url)), !failure.mayHaveBeenSent {}
            for _ in 0..<4 {
                let outcomes = await transfers.performAll((0..<256).map { post(url, "n=\($0)", key: "k\($0)") })
                let replies = try outcomes.map { try $0.reply }
                #expect(replies.map { String(decoding: $0.body, as: UTF8.self) } == (0..<256).map { "n=\($0)" })
                #expect(replies.allSatisfy { $0.version == .http2 && $0.headers.value("request-id") == "req_1" })
            }
            // Four pools of 64.
            #expect(transfers.connectionsMade <= 8)
            #expect(Set(upstream.requests.compactMap { $0.headers["idempotency-key"] }).count == 256)
        }
    }

    @Test func aCancelledStreamMayHaveBeenSentAndItsNeighboursConnectionIsGone() async throws {
        let arrived = Probe<Int>()
        let upstream = ScriptedServer { request in
            arrived.send(request.index)
            return request.text == "hang" ? [.hang] : [.reply(200, "")]
        }
        defer { upstream.stop() }
        let certificate = try await TestCertificate.make("IP:127.0.0.1")
        defer { certificate.remove() }
        let (server, port) = try certificate.serveHTTP2(upstream: upstream.port)
        defer {
            server.signal(SIGTERM)
            port.close()
        }
        let settings = TransferSettings(atOnce: 256, certificateAuthorities: certificate.certificate)
        try await withTransfers(settings) { transfers in
            let url = "https://127.0.0.1:\(port.number)/"
            while case .failed(let failure) = await transfers.perform(post(url, "")), !failure.mayHaveBeenSent {}
            _ = try await arrived.next()
            let outcomes = Outcomes()
            for index in 0..<10 { transfers.start(post(url, "hang")) { outcomes.add(index, $0) } }
            _ = try await arrived.next(10)
            transfers.cancelAll("jump")
            #expect(
                try outcomes.byIndex.values.map { try $0.failure.mayHaveBeenSent } == Array(repeating: true, count: 10))
            let reply = try await transfers.perform(post(url, "")).reply
            #expect(reply.status == 200)
            #expect(reply.madeConnection)
        }
    }
}
