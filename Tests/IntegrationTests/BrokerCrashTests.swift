import Foundation
import TestSupport
import Testing

/// A broker of the test's own that is not there yet, comes, and is killed under load.
@Suite(.serialized, .timeLimit(.minutes(8)))
struct BrokerCrashTests {
    @Test func `away at start, then killed under load`() async throws {
        let port = freePort()
        let site = Site(
            "amqp://guest:guest@127.0.0.1:\(port)/%2F", ["CHARGELINE_LOG": "info", "CHARGELINE_SETTLE": "2s"])
        try await site.startSandbox()
        let workers = [try await site.worker(), try await site.worker()]
        let api = try await site.api()
        for role in workers + [api] {
            #expect(try await HTTP.call(role.admin, "GET", "/livez").status == 200)
            // It says why, once the first try has failed.
            var answer: HTTP.Answer
            repeat {
                answer = try await HTTP.call(role.admin, "GET", "/readyz?verbose")
                #expect(answer.status == 503)
            } while !answer.text.contains("127.0.0.1:\(port)")
        }
        let early = try await site.post(api, charge("early"))
        #expect(early.status == 503)
        #expect(early.headers["retry-after"] != nil)
        #expect(try await site.run(["results", "-n", "1"]).exit == .status(3))

        let broker = try await PrivateBroker.own(port: port)
        for role in workers + [api] { try await role.untilReady() }
        let taker = try await ResultsTaker(site)
        let told = Told()
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            for client in 0..<6 { group.addTask { await post(client, to: api, site, told, until: gate) } }
            group.addTask {
                try await told.until(200)
                try await broker.kill()
                let before = await told.ids.count
                try await broker.start()
                // Accepted again, without anybody's help.
                try await told.until(before + 100)
                await gate.close()
            }
            try await group.waitForAll()
        }
        for role in workers + [api] { try await role.untilReady() }
        let ids = await told.ids
        try await taker.untilFinal(ids)
        await taker.audit(accepted: ids, try await site.ledger())
        for role in workers + [api] { #expect(await role.end() == .status(0)) }
        await site.finish()
        try await broker.kill()
    }

    private func charge(_ id: String) -> String {
        #"{"id":"\#(id)","token":"tok_visa","amount":1999,"currency":"usd"}"#
    }

    /// Posts one charge after the other, each under its id until it is accepted.
    private func post(_ client: Int, to api: Role, _ site: Site, _ told: Told, until gate: Gate) async {
        var number = 0
        while await !gate.isClosed, !Task.isCancelled {
            let id = "load-\(client)-\(number)"
            let answer = try? await site.post(api, charge(id))
            if answer?.status == 202 {
                _ = await told.add(id)
                number += 1
            } else {
                #expect(answer?.status == 503)
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// Open until it is closed.
actor Gate {
    private(set) var isClosed = false
    func close() { isClosed = true }
}
