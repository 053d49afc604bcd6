import ChargeAPI
import Charging
import TestSupport
import Testing

/// The API without its broker. Each test has a node of its own.
@Suite(.takesTurns, .timeLimit(.minutes(8)), .serialized)
struct AwayTests {
    private let json = "Content-Type: application/json\r\n"

    private func body(_ id: String) -> String {
        #"{"id":"\#(id)","token":"tok_visa","amount":100,"currency":"usd"}"#
    }

    @Test func `a killed broker is 503 at once, and every 202 is found after it is back`() async throws {
        let broker = try await PrivateBroker.own()
        let prefix = uniquePrefix()
        // Quorum queues are safe from a crash only after their first second.
        try await RunningAPI.with(broker.url, prefix: prefix, ["CHARGELINE_SETTLE": "2s"]) { api in
            let client = try api.client()
            var accepted: Set<String> = []
            var refused = 0
            let killing = Task { try await broker.kill() }
            for number in 0... {
                client.post("/v1/charges", body("a-\(number)"), extra: json)
                let answer = try client.answer()
                if answer.status == 202 {
                    accepted.insert("a-\(number)")
                } else {
                    #expect(answer.status == 503)
                    #expect(answer.headers["retry-after"] != nil)
                    #expect(answer.text.contains(#""id":"a-\#(number)""#))
                    refused += 1
                    // The first may have been under way; what follows is known to be refused.
                    if refused == 3 { break }
                }
            }
            try await killing.value
            client.post("/v1/charges", body("away"), extra: json)
            // Known to be away: nobody waits for a confirm.
            #expect(try client.answer().text.contains("/problems/unavailable"))
            try await api.untilReady(false)
            #expect(try api.readiness().text.contains("[-] charges: "))

            try await broker.start()
            try await api.untilReady()
            client.post("/v1/charges", body("back"), extra: json)
            #expect(try client.answer().status == 202)
            accepted.insert("back")
            try await ScriptedWorker.with(broker.url, prefix: prefix) { worker in
                var missing = accepted
                while !missing.isEmpty { missing.remove(try await worker.seen.next().request.id.text) }
                // And results are seen again.
                client.post("/v1/charges", body("waited"), extra: json + "Prefer: wait=20\r\n")
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func `an API that starts without a broker is up, not ready, and ready once there is one`() async throws {
        let broker = try await PrivateBroker.own()
        try await broker.stop()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix(), untilReady: false) { api in
            let client = try api.client()
            client.post("/v1/charges", body("early"), extra: json)
            let answer = try client.answer()
            #expect(answer.status == 503)
            #expect(answer.text.contains("/problems/unavailable"))
            #expect(try api.readiness().status == 503)
            try await broker.start()
            try await api.untilReady()
            client.post("/v1/charges", body("early"), extra: json)
            #expect(try client.answer().status == 202)
        }
    }

    @Test func `a frozen broker is 503 that says the charge may be queued`() async throws {
        let broker = try await PrivateBroker.own()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix()) { api in
            let client = try api.client()
            try await broker.freeze(true)
            client.post("/v1/charges", body("frozen"), extra: json + "Prefer: wait=1\r\n")
            let answer = try client.answer()
            try await broker.freeze(false)
            #expect(answer.status == 503)
            #expect(answer.text.contains("/problems/not-confirmed"))
            #expect(answer.text.contains(#""id":"frozen""#))
        }
    }

    @Test func `a blocked broker is 503 with its reason`() async throws {
        let broker = try await PrivateBroker.own()
        try await RunningAPI.with(broker.url, prefix: uniquePrefix()) { api in
            let client = try api.client()
            try await broker.ctl(["set_vm_memory_high_watermark", "0.00001"])
            var last: RawHTTPClient.Answer?
            // The broker tells of its alarm when the next publish meets it.
            for number in 0..<1000 {
                client.post("/v1/charges", body("b-\(number)"), extra: json)
                let answer = try client.answer()
                last = answer
                if answer.text.contains("takes no messages now") { break }
            }
            #expect(last?.status == 503)
            try await broker.ctl(["set_vm_memory_high_watermark", "0.4"])
            try await api.untilReady()
            client.post("/v1/charges", body("after"), extra: json)
            #expect(try client.answer().status == 202)
        }
    }

    @Test func `a wrong password is a fault for a person`() async throws {
        let broker = try await PrivateBroker.shared()
        let url = "amqp://guest:wrong@127.0.0.1:\(broker.port)/%2F"
        try await RunningAPI.with(url, prefix: uniquePrefix(), untilReady: false) { api in
            let fault = try await api.faults.next()
            #expect(!fault.contains("wrong@"))
            #expect(try api.readiness().status == 503)
        }
    }

    @Test func `a cut that only the API notices is mended without waiting for the broker's heartbeat`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        let relay = CutRelay(to: broker.port)
        await relay.start()
        let url = "amqp://guest:guest@127.0.0.1:\(relay.port)/%2F"
        try await RunningAPI.with(url, prefix: prefix) { api in
            await relay.cut()
            try await api.untilReady(false)
            try await api.untilReady()
            try await ScriptedWorker.with(broker.url, prefix: prefix) { _ in
                let client = try api.client()
                client.post("/v1/charges", body("after"), extra: json + "Prefer: wait=20\r\n")
                #expect(try client.answer().status == 200)
            }
        }
        await relay.end()
    }

    @Test func `draining answers those who wait and takes nobody new`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix, script: { _ in [] }) { worker in
                let client = try api.client()
                client.post("/v1/charges", body("waits"), extra: json + "Prefer: wait=50\r\n")
                _ = try await worker.seen.next()
                let drained = api.startDrain()
                let answer = try client.answer()
                #expect(answer.status == 202)
                #expect(answer.headers["connection"]?.lowercased() == "close")
                await drained.value
                #expect(throws: RawHTTPClient.Failure.self) { try api.client() }
            }
        }
    }
}
