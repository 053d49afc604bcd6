import Foundation
import TestSupport
import Testing

/// A broker of the test's own that is not there yet, comes, and is killed under load.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
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
        try await alarm(broker, api, site, taker)
        for role in workers + [api] { #expect(await role.end() == .status(0)) }
        await site.finish()
        try await broker.kill()
    }

    /// A broker that is low on memory takes nothing more. Who posts is told so at once, not when a confirm is overdue.
    private func alarm(_ broker: PrivateBroker, _ api: Role, _ site: Site, _ taker: ResultsTaker) async throws {
        let lost = try await api.metric("chargeline_api_publishes_total", "lost")
        try await broker.ctl(["set_vm_memory_high_watermark", "0.00001"])
        // The broker tells a publisher with its first message.
        #expect(try await site.post(api, charge("alarm-1")).status == 503)
        #expect(try await api.metric("chargeline_api_publishes_total", "lost") == lost)
        let second = try await site.post(api, charge("alarm-2"))
        #expect(second.status == 503)
        #expect(second.headers["retry-after"] != nil)
        #expect(try await !api.isReady)
        #expect(try await HTTP.call(api.admin, "GET", "/livez").status == 200)
        try await broker.ctl(["set_vm_memory_high_watermark", "0.4"])
        try await api.untilReady()
        #expect(try await site.post(api, charge("alarm-1")).status == 202)
        try await taker.untilFinal(["alarm-1"])
        #expect(try await site.ledger().charged["alarm-1"] == 1)
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
