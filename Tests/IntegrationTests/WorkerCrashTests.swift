import Foundation
import TestSupport
import Testing

/// Workers that are killed with charges in their hands.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct WorkerCrashTests {
    /// What is charged, and how it is found out.
    struct Case: Sendable, CustomTestStringConvertible {
        let oneTimeTokens: Bool
        let flow: String
        var testDescription: String { "\(oneTimeTokens ? "one-time" : "reusable") tokens, \(flow)" }
    }

    private static let cases = [
        Case(oneTimeTokens: false, flow: "payment_intents"), Case(oneTimeTokens: true, flow: "payment_intents"),
        Case(oneTimeTokens: true, flow: "charges"),
    ]

    /// Reusable tokens show a wrong idempotency key as a second charge, one-time tokens a repeated call as a wrong
    /// result.
    @Test(arguments: cases)
    func `killed with 300 charges in work`(_ given: Case) async throws {
        let site = try await Site.start(
            sandbox: given.oneTimeTokens ? ["--single-use-tokens", "true"] : [],
            ["STRIPE_FLOW": given.flow, "CHARGELINE_IN_FLIGHT": "180", "CHARGELINE_LOG": "info"])
        let victim = try await site.worker()
        let other = try await site.worker()
        try await victim.untilReady()
        try await other.untilReady()
        let count = 480
        let tokens = given.oneTimeTokens ? try await site.tokens(count) : Array(repeating: "tok_visa", count: count)
        try await site.sandbox("PUT", "/_sandbox/settings", body: #"{"latency":"500ms-1500ms"}"#)
        let folder = try temporaryDirectory("crash")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let declined = given.oneTimeTokens ? "" : "tok_chargeDeclined"
        let rows = tokens.enumerated().map { number, token in
            let token = number % 12 == 0 && !declined.isEmpty ? declined : token
            return "crash-\(number),\(token),\(100 + number),usd,batch"
        }
        try write("id,token,amount,currency,lane\n" + rows.joined(separator: "\n") + "\n", to: folder + "/rows.csv")
        let taker = try await ResultsTaker(site)
        let sent = try await site.run(["send", folder + "/rows.csv"])
        #expect(sent.exit == .status(0), "\(sent.errors)")

        while try await victim.metric("chargeline_in_flight") + other.metric("chargeline_in_flight") < 300 {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await victim.end(SIGKILL) == .signal(SIGKILL))

        let ids = (0..<count).map { "crash-\($0)" }
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        let amounts = await taker.all.allSatisfy { $0.amount == 100 + (Int($0.id.dropFirst(6)) ?? -1) }
        #expect(amounts)
        let statuses = await Set(taker.status.values)
        #expect(statuses == (declined.isEmpty ? ["succeeded"] : ["succeeded", "declined"]))
        #expect(await other.end() == .status(0))
        await site.finish()
    }

    /// A worker that dies again and again, at any moment of its life, still loses and doubles nothing.
    @Test func `killed at odd moments`() async throws {
        let site = try await Site.start(sandbox: ["--latency", "20ms-200ms"], ["CHARGELINE_LOG": "info"])
        let folder = try temporaryDirectory("odd")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ids = (0..<120).map { "odd-\($0)" }
        let rows = ids.map { "\($0),tok_visa,700,usd" }
        try write("id,token,amount,currency\n" + rows.joined(separator: "\n") + "\n", to: folder + "/rows.csv")
        #expect(try await site.run(["send", folder + "/rows.csv"]).exit == .status(0))
        let taker = try await ResultsTaker(site)
        // Before it connects, while it declares, while it consumes, and in the middle of its charges.
        for pause in [0, 60, 150, 300, 500] {
            let worker = try await site.worker(["CHARGELINE_IN_FLIGHT": "20"])
            try await Task.sleep(for: .milliseconds(pause))
            await worker.end(SIGKILL)
        }
        let last = try await site.worker()
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await last.end() == .status(0))
        await site.finish()
    }

    /// Frozen past the broker's patience with its connection it wakes up to deliveries that others have.
    @Test func `frozen and thawed`() async throws {
        let site = try await Site.start(sandbox: ["--latency", "100ms"], ["CHARGELINE_LOG": "info"])
        let frozen = try await site.worker(["AMQP_URL": site.broker + "?heartbeat=1"])
        try await frozen.untilReady()
        let taker = try await ResultsTaker(site)
        let folder = try temporaryDirectory("frozen")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ids = (0..<150).map { "frozen-\($0)" }
        let rows = ids.map { "\($0),tok_visa,700,usd" }
        try write("id,token,amount,currency\n" + rows.joined(separator: "\n") + "\n", to: folder + "/rows.csv")
        #expect(try await site.run(["send", folder + "/rows.csv"]).exit == .status(0))
        try await frozen.until("chargeline_in_flight", atLeast: 1)
        frozen.program.signal(SIGSTOP)
        // The broker takes what the frozen one holds back after two missed heartbeats, and the other gets it.
        let other = try await site.worker()
        try await taker.untilFinal(ids)
        frozen.program.signal(SIGCONT)
        try await frozen.untilReady()
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await frozen.end() == .status(0))
        #expect(await other.end() == .status(0))
        await site.finish()
    }
}
