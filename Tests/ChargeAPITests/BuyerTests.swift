import Charging
import EventLoop
import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct BuyerTests {
    private let form = "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n"

    private func body(_ description: String, amount: Int = 1999) -> String {
        "token=tok_visa&amount=\(amount)&currency=usd&description=\(description)"
    }

    @Test func `the apps' form is charged while the buyer waits`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix) { worker in
                try await api.untilWorkersAreSeen()
                let client = try api.client()
                let before = LoopClock.wall()
                client.post("/charge", body("Two+Puppies"), extra: form)
                var answer = try client.answer()
                #expect(answer.status == 200)
                #expect(answer.text.contains(#""status":"succeeded","amount":1999,"currency":"usd""#))
                let seen = try await worker.seen.next()
                #expect(seen.request.description == "Two Puppies")
                // The wait is 55 s; nothing is sent in its last five.
                let notAfter = try #require(seen.request.notAfter)
                #expect(notAfter >= before + 50_000 && notAfter <= LoopClock.wall() + 50_000)

                client.post("/charge", body("declined"), extra: form)
                answer = try client.answer()
                #expect(answer.status == 402)
                #expect(answer.text.contains(#""code":"generic_decline""#))
                #expect(!answer.text.contains("stolen"))

                client.post("/charge", body("Two+Puppies", amount: 0), extra: form)
                answer = try client.answer()
                #expect(answer.status == 422)
                #expect(answer.text.contains(#""pointer":"/amount""#))
            }
        }
    }

    @Test func `while no worker consumes the lane a buyer is told so at once`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await eventually { try api.metric("chargeline_api_workers") == 0 }
            let client = try api.client()
            client.post("/charge", body("x"), extra: form)
            let answer = try client.answer()
            #expect(answer.status == 503)
            #expect(answer.text.contains("/problems/no-worker"))
            #expect(answer.headers["retry-after"] != nil)
            try await ScriptedWorker.with(broker.url, prefix: prefix) { _ in
                try await api.untilWorkersAreSeen()
                client.post("/charge", body("x"), extra: form)
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func `when the wait ends the charge goes on`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix, ["CHARGELINE_WAIT_MAX": "1s"]) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix, script: { _ in [] }) { worker in
                try await api.untilWorkersAreSeen()
                let client = try api.client()
                client.post("/charge", body("slow"), extra: form + "Idempotency-Key: a\r\n")
                let answer = try client.answer()
                #expect(answer.status == 202)
                #expect(answer.text.contains(#""status":"pending""#))
                let seen = try await worker.seen.next()
                await worker.publish(ScriptedWorker.told(seen))
                try await eventually {
                    client.get("/v1/charges/\(seen.request.id)")
                    return try client.answer().status == 200
                }
            }
        }
    }

    @Test func `a buyer who goes away leaves nothing waiting`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        try await RunningAPI.with(broker.url, prefix: prefix) { api in
            try await ScriptedWorker.with(broker.url, prefix: prefix, script: { _ in [] }) { worker in
                try await api.untilWorkersAreSeen()
                let client = try api.client()
                client.post("/charge", body("gone"), extra: form)
                _ = try await worker.seen.next()
                #expect(try api.metric("chargeline_api_waiting") == 1)
                client.hangUp()
                try await eventually { try api.metric("chargeline_api_waiting") == 0 }
                #expect(try api.metric("chargeline_api_hang_ups_total") == 1)
            }
        }
    }
}
