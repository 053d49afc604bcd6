import ChargeWorker
import Charging
import EventLoop
import Messaging
import StripeSandbox
import TestSupport
import Testing

/// The worker between a real RabbitMQ and the sandbox.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct WorkerRoleTests {
    /// Runs a body with a rig and one worker, and drains it.
    private func withWorker(
        sandbox: SandboxSettings = SandboxSettings(), _ changes: [String: String] = [:],
        _ body: (WorkerRig) async throws -> Void
    ) async throws {
        let rig = try await WorkerRig.start(sandbox: sandbox, changes)
        let worker = try await rig.startWorker()
        do { try await body(rig) } catch {
            await rig.drain(worker)
            await rig.stop()
            throw error
        }
        await rig.drain(worker)
        await rig.stop()
    }

    private func results(_ rig: WorkerRig, _ count: Int) async throws -> [String: ChargeResult] {
        var byID: [String: ChargeResult] = [:]
        while byID.count < count {
            let result = try await rig.client.results.next()
            if result.isFinal { byID[result.id.text] = result }
        }
        return byID
    }

    @Test(arguments: ["payment_intents", "charges"])
    func `each kind of charge gets its result`(flow: String) async throws {
        try await withWorker(["STRIPE_FLOW": flow]) { rig in
            try await rig.client.charge("good")
            try await rig.client.charge("declined", token: "tok_chargeDeclinedInsufficientFunds")
            try await rig.client.charge("stolen", token: "tok_visa_chargeDeclinedStolenCard")
            try await rig.client.charge("reserved", further: #","capture":false"#)
            try await rig.client.charge("unknown-token", token: "tok_nobody_knows")
            try await rig.client.charge("small", amount: 5)
            try await rig.client.charge("auth", token: "tok_threeDSecure2Required")
            let results = try await results(rig, 7)
            #expect(results["good"]?.status == .succeeded)
            #expect(results["good"]?.stripe.charge?.hasPrefix("ch_") == true)
            #expect(results["good"]?.attempts == 1)
            #expect(results["declined"]?.status == .declined)
            #expect(results["declined"]?.failure?.declineCode == "insufficient_funds")
            #expect(results["stolen"]?.failure?.buyerCode == "generic_decline")
            #expect(results["reserved"]?.status == .authorized)
            #expect(results["unknown-token"]?.status == .rejected)
            #expect(results["unknown-token"]?.failure?.param == "token")
            #expect(results["small"]?.status == .rejected)
            #expect(results["small"]?.failure?.param == "amount")
            #expect([.requiresAction, .declined].contains(results["auth"]?.status))
            #expect(try await rig.ledger() == ["good": 1, "reserved": 1])
        }
    }

    @Test func `the same charge three times is one charge`() async throws {
        try await withWorker { rig in
            for _ in 0..<3 { try await rig.client.charge("thrice") }
            var events: Set<String> = []
            for _ in 0..<3 { events.insert(try await rig.client.results.next().event) }
            #expect(events == ["thrice.succeeded"])
            #expect(try await rig.ledger() == ["thrice": 1])
        }
    }

    @Test func `another charge under a used id is refused, and says nothing of the first`() async throws {
        try await withWorker { rig in
            try await rig.client.charge("owned")
            #expect(try await rig.client.results.next().status == .succeeded)
            try await rig.client.charge("owned", amount: 999_00)
            let second = try await rig.client.results.next()
            #expect(second.status == .refused)
            #expect(second.sequence == 0)
            #expect(second.event.hasPrefix("owned.refused."))
            #expect(try await rig.ledger() == ["owned": 1])
        }
    }

    @Test func `what cannot be read is parked, and refused where it has an id`() async throws {
        try await withWorker { rig in
            try await rig.client.publish("not json", id: "has-an-id")
            #expect(try await rig.client.parked.next().key == "checkout.unreadable")
            let refused = try await rig.client.results.next()
            #expect(refused.status == .refused)
            #expect(refused.id.text == "has-an-id")
            try await rig.client.charge("card", token: "4242424242424242")
            let parked = try await rig.client.parked.next()
            #expect(parked.key == "checkout.card-number")
            #expect(!String(decoding: parked.message.body, as: UTF8.self).contains("4242424242424242"))
        }
    }

    @Test func `a message without an acceptance time is stamped, then charged`() async throws {
        try await withWorker { rig in
            try await rig.client.publish(
                #"{"id":"no-time","token":"tok_visa","amount":500,"currency":"usd"}"#, id: "no-time", timestamp: nil)
            let result = try await rig.client.results.next()
            #expect(result.status == .succeeded)
            #expect(result.acceptedAt != nil)
        }
    }

    @Test func `a misspelt lane is parked, not lost`() async throws {
        try await withWorker { rig in
            try await rig.client.charge("nowhere", lane: "chekout")
            #expect(try await rig.client.parked.next().key == "chekout")
        }
    }

    @Test(arguments: [
        "reset_before_effect", "reset_after_effect", "status_500", "status_503", "garbage", "truncated", "html_502",
        "status_409", "lock_timeout", "status_429",
    ])
    func `one fault, one charge, one success`(fault: String) async throws {
        try await withWorker { rig in
            try await rig.control("PUT", "/_sandbox/faults", #"[{"fault":"\#(fault)","times":2}]"#)
            try await rig.client.charge("through")
            #expect(try await results(rig, 1)["through"]?.status == .succeeded)
            #expect(try await rig.ledger() == ["through": 1])
        }
    }

    @Test func `a stored 500 is never called failed`() async throws {
        try await withWorker(["CHARGELINE_RETRY_DELAYS": "200ms"]) { rig in
            try await rig.control(
                "PUT", "/_sandbox/faults", #"[{"fault":"status_500_stored_after_effect","times":1}]"#)
            try await rig.client.charge("stored")
            #expect(try await rig.client.results.next().status == .unknown)
            #expect(try await results(rig, 1)["stored"]?.status == .succeeded)
            #expect(try await rig.ledger() == ["stored": 1])
        }
    }

    @Test func `a thousand charges wait for nobody else's thread`() async throws {
        try await withWorker { rig in
            try await rig.client.charge("warm")
            _ = try await results(rig, 1)
            let before = rig.workerLoop.loop.foreignEnqueues
            for index in 0..<1000 { try await rig.client.charge("many-\(index)") }
            let results = try await results(rig, 1000)
            #expect(results.values.allSatisfy { $0.status == .succeeded })
            #expect(rig.workerLoop.loop.foreignEnqueues == before)
            #expect(try await rig.ledger().values.allSatisfy { $0 == 1 })
        }
    }

    @Test func `a reply_to queue gets its copy`() async throws {
        try await withWorker { rig in
            // The parked queue of this rig stands in for a caller's: under the prefix it must be ignored.
            try await rig.client.publish(
                #"{"id":"own","token":"tok_visa","amount":500,"currency":"usd"}"#, id: "own",
                replyTo: "\(rig.prefix).parked")
            try await rig.client.publish(
                #"{"id":"gone","token":"tok_visa","amount":500,"currency":"usd"}"#, id: "gone",
                replyTo: "nobody-has-this-queue")
            let results = try await results(rig, 2)
            #expect(results.values.allSatisfy { $0.status == .succeeded })
        }
    }
}
