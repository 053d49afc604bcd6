import Foundation
import TestSupport
import Testing

/// An API that is killed while charges are posted to it.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct APICrashTests {
    @Test func `what was told 202 is charged`() async throws {
        let site = try await Site.start(["CHARGELINE_LOG": "info"])
        let (api, worker) = try await site.apiAndWorker()
        let taker = try await ResultsTaker(site)
        let told = Told()
        try await withThrowingTaskGroup { group in
            for client in 0..<8 {
                group.addTask {
                    for number in 0... {
                        let id = "burst-\(client)-\(number)"
                        let body = #"{"id":"\#(id)","token":"tok_visa","amount":1999,"currency":"usd"}"#
                        // Once it is killed nobody answers any more.
                        guard let answer = try? await site.post(api, body) else { return }
                        try #require(answer.status == 202, "\(answer.text)")
                        if await told.add(id) == 150 { api.program.signal(SIGKILL) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await api.program.exit() == .signal(SIGKILL))
        let ids = await told.ids
        #expect(ids.count >= 150)
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        #expect(await worker.end() == .status(0))
        await site.finish()
    }
}

/// Which charges a client was promised.
actor Told {
    private(set) var ids: [String] = []
    private var waiting: [(count: Int, probe: Probe<Void>)] = []

    func add(_ id: String) -> Int {
        ids.append(id)
        for waiter in waiting where waiter.count <= ids.count { waiter.probe.send(()) }
        return ids.count
    }

    /// Waits until so many were promised, or the test's time is over.
    func until(_ count: Int) async throws {
        guard ids.count < count else { return }
        let probe = Probe<Void>()
        waiting.append((count, probe))
        try await probe.next()
    }
}
