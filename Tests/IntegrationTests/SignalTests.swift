import Foundation
import TestSupport
import Testing

/// TERM, INT and HUP.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct SignalTests {
    private static let hanging = #"[{"fault":"hang_after_effect","match":{"method":"POST"}}]"#

    /// A site whose worker has this many charges at a Stripe that does not answer, and would be waited for by a
    /// client's own timeout for minutes.
    private func hangingWorker(_ ids: [String], drain: String) async throws -> (site: Site, worker: Role) {
        let site = try await Site.start(["CHARGELINE_STRIPE_TIMEOUT": "10m", "CHARGELINE_DRAIN": drain])
        try await site.sandbox("PUT", "/_sandbox/faults", body: Self.hanging)
        let worker = try await site.worker()
        try await worker.untilReady()
        try await send(ids, site)
        try await worker.until("chargeline_in_flight", atLeast: Double(ids.count))
        return (site, worker)
    }

    private func send(_ ids: [String], _ site: Site) async throws {
        let folder = try temporaryDirectory("signal")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rows = ids.map { "\($0),tok_visa,500,usd" }
        try write("id,token,amount,currency\n" + rows.joined(separator: "\n") + "\n", to: folder + "/rows.csv")
        let sent = try await site.run(["send", folder + "/rows.csv"])
        try #require(sent.exit == .status(0), "\(sent.errors)")
    }

    /// The money has moved and nobody knows: another worker must find that out, and not charge again.
    @Test(arguments: [SIGTERM, SIGINT])
    func `a worker ends in its time while Stripe hangs`(_ signal: Int32) async throws {
        let ids = (0..<20).map { "hung-\($0)" }
        let (site, worker) = try await hangingWorker(ids, drain: "3s")
        #expect(await worker.end(signal) == .status(0))
        #expect(try await site.ledger().charged.count == ids.count)

        try await site.sandbox("DELETE", "/_sandbox/faults")
        let next = try await site.worker()
        let taker = try await ResultsTaker(site)
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await Set(taker.status.values) == ["succeeded"])
        #expect(await next.end() == .status(0))
        await site.finish()
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func `a second one ends it at once`(_ signal: Int32, _ status: Int32) async throws {
        let ids = ["twice-1", "twice-2"]
        let (site, worker) = try await hangingWorker(ids, drain: "10m")
        worker.program.signal(signal)
        // It has understood the first one.
        try await worker.untilReady(false)
        #expect(await worker.end(signal) == .status(status))
        await site.finish()
    }

    @Test func `roles end at once where the broker is away`() async throws {
        let site = Site("amqp://guest:guest@127.0.0.1:\(freePort())/%2F", [:])
        try await site.startSandbox()
        for role in [try await site.worker(), try await site.api()] { #expect(await role.end() == .status(0)) }
        let early = try await site.start(["worker"])
        _ = try await early.errors.line(0)
        #expect(await early.end() == .status(0))
        await site.finish()
    }

    /// Who waits for a result when the API ends is told what is true: it is queued.
    @Test func `an API answers who waits`() async throws {
        let site = try await Site.start(sandbox: ["--latency", "30s"], ["CHARGELINE_DRAIN": "2s"])
        let (api, worker) = try await site.apiAndWorker(["CHARGELINE_STRIPE_TIMEOUT": "60s"])
        async let waiting = site.post(
            api, #"{"id":"w-1","token":"tok_visa","amount":500,"currency":"usd"}"#, headers: ["Prefer: wait=15"])
        async let buyer = site.call(
            api, "POST", "/charge", body: "token=tok_visa&amount=500&currency=usd",
            headers: ["Content-Type: application/x-www-form-urlencoded"])
        try await api.until("chargeline_api_waiting", atLeast: 2)
        try await worker.until("chargeline_in_flight", atLeast: 2)
        #expect(await api.end() == .status(0))
        let answer = try await waiting
        #expect(answer.status == 202)
        #expect(answer.json["status"] as? String == "queued")
        #expect(try await buyer.status == 202)
        worker.program.signal(SIGKILL)
        await site.finish()
    }

    /// A revoked key stops the worker; the file is mended, HUP, and it goes on. A file that is wrong changes nothing.
    @Test func `HUP reads the key's file again`() async throws {
        let folder = try temporaryDirectory("key")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let seen = ScriptedServer { request in
            let isNew =
                request.headers["authorization"]?.contains(Data("sk_test_new:".utf8).base64EncodedString()) == true
            if isNew { return [.reply(200, #"{"object":"balance"}"#, [("Request-Id", "req_1")])] }
            let error =
                #"{"error":{"message":"Expired API Key provided","type":"invalid_request_error","code":"api_key_expired"}}"#
            return [.reply(401, error, [("Request-Id", "req_2"), ("Content-Type", "application/json")])]
        }
        defer { seen.stop() }
        try write("sk_test_old\n", to: folder + "/key")
        let site = try await Site.start()
        let worker = try await site.worker([
            "STRIPE_SECRET_KEY": "", "STRIPE_SECRET_KEY_FILE": folder + "/key", "STRIPE_API_BASE": seen.base,
        ])
        try await worker.untilReady()
        try await send(["hup-1"], site)
        try await worker.untilReady(false)
        let health = try await HTTP.call(worker.admin, "GET", "/readyz?verbose").text
        #expect(health.contains("STRIPE_SECRET_KEY"), "\(health)")

        try write("pk_test_wrong\n", to: folder + "/key")
        worker.program.signal(SIGHUP)
        _ = try await worker.program.errors.first(containing: "going on with the old secrets")
        #expect(try await !worker.isReady)

        try write("sk_test_new\n", to: folder + "/key")
        worker.program.signal(SIGHUP)
        try await worker.untilReady()
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    /// The same with a Stripe that takes the key again: the charge that met the fault ends well.
    @Test func `a charge outlives a revoked key`() async throws {
        let folder = try temporaryDirectory("key")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let site = try await Site.start()
        try write(site.key, to: folder + "/key")
        let worker = try await site.worker(["STRIPE_SECRET_KEY": "", "STRIPE_SECRET_KEY_FILE": folder + "/key"])
        try await worker.untilReady()
        try await site.sandbox("PUT", "/_sandbox/faults", body: #"[{"fault":"status_401"}]"#)
        let ids = (0..<30).map { "revoked-\($0)" }
        try await send(ids, site)
        try await worker.untilReady(false)
        try await site.sandbox("DELETE", "/_sandbox/faults")
        worker.program.signal(SIGHUP)
        try await worker.untilReady()
        let taker = try await ResultsTaker(site)
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await Set(taker.status.values) == ["succeeded"])
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    @Test func `HUP reads the API's keys again`() async throws {
        let folder = try temporaryDirectory("keys")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let site = try await Site.start()
        let old = await site.keepSecret(Site.mark())
        let new = await site.keepSecret(Site.mark())
        try write("shop:\(old)\n", to: folder + "/keys")
        let api = try await site.api(["CHARGELINE_API_KEYS_FILE": folder + "/keys"])
        try await api.untilReady()
        func status(_ key: String) async throws -> Int {
            try await site.call(api, "GET", "/v1/charges/x", headers: ["Authorization: Bearer \(key)"]).status
        }
        #expect(try await status(old) == 404)
        #expect(try await status(new) == 401)
        try write("shop:\(new)\n", to: folder + "/keys")
        api.program.signal(SIGHUP)
        _ = try await api.program.errors.first(containing: "api_keys_replaced")
        #expect(try await status(old) == 401)
        #expect(try await status(new) == 404)
        #expect(await api.end() == .status(0))
        await site.finish()
    }
}
