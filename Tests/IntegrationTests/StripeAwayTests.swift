import Foundation
import TestSupport
import Testing

/// A Stripe that does not answer, or is not there.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct StripeAwayTests {
    private func send(_ ids: [String], _ site: Site) async throws {
        let folder = try temporaryDirectory("away")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rows = ids.map { "\($0),tok_visa,500,usd" }
        try write("id,token,amount,currency\n" + rows.joined(separator: "\n") + "\n", to: folder + "/rows.csv")
        let sent = try await site.run(["send", folder + "/rows.csv"])
        try #require(sent.exit == .status(0), "\(sent.errors)")
    }

    /// What was sent before it froze may have moved money, and what it finds when it thaws does: both are charged once.
    @Test func `frozen with charges in its hands`() async throws {
        let site = try await Site.start(
            sandbox: ["--latency", "30ms"], ["CHARGELINE_STRIPE_TIMEOUT": "500ms", "CHARGELINE_LOG": "info"])
        let worker = try await site.worker(["CHARGELINE_IN_FLIGHT": "40"])
        try await worker.untilReady()
        let ids = (0..<300).map { "frozen-\($0)" }
        try await send(ids, site)
        let taker = try await ResultsTaker(site)
        for _ in 0..<60 { try await taker.next() }
        await site.stripe(SIGSTOP)
        // It stops by itself, and stays ready: another worker would fare no better.
        try await worker.until("chargeline_breaker_open", atLeast: 1)
        #expect(try await worker.isReady)
        await site.stripe(SIGCONT)
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await Set(taker.status.values) == ["succeeded"])
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    /// Nothing can have been sent to a port where nobody listens, so nothing is looked up, and nothing lost.
    @Test func `not there yet`() async throws {
        let site = Site(try await PrivateBroker.shared().url, ["CHARGELINE_LOG": "info"])
        let port = freePort()
        let base = "http://127.0.0.1:\(port)"
        let worker = try await site.worker(["STRIPE_API_BASE": base])
        try await worker.untilReady()
        let ids = (0..<100).map { "early-\($0)" }
        try await send(ids, site)
        try await worker.until("chargeline_breaker_open", atLeast: 1)
        try await site.startSandbox(at: port)
        let taker = try await ResultsTaker(site)
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(try await site.ledger().lines.count == ids.count)
        #expect(await taker.all.allSatisfy { $0.final })
        #expect(await worker.end() == .status(0))
        await site.finish()
    }
}
