import ChargeWorker
import Charging
import EventLoop
import Messaging
import StripeSandbox
import TestSupport
import Testing

/// A worker that is drained, or whose Stripe is away, or whose key is wrong: nothing lost, nothing doubled, nothing
/// wrongly failed.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct WorkerTroubleTests {
    private func finals(_ rig: WorkerRig, _ count: Int) async throws -> [String: ChargeResult] {
        var byID: [String: ChargeResult] = [:]
        while byID.count < count {
            let result = try await rig.client.results.next()
            if result.isFinal { byID[result.id.text] = result }
        }
        return byID
    }

    @Test func `drained with Stripe hanging, another worker finishes`() async throws {
        let rig = try await WorkerRig.start(["CHARGELINE_DRAIN": "2s"])
        let first = try await rig.startWorker()
        try await rig.control("PUT", "/_sandbox/faults", #"[{"fault":"hang_after_effect","rate":1}]"#)
        for index in 0..<100 { try await rig.client.charge("hang-\(index)") }
        while try await rig.ledger().count < 50 { await Task.yield() }
        let began = LoopClock.monotonic()
        await rig.drain(first)
        // Stripe would have been waited for ten times as long.
        #expect(LoopClock.monotonic() - began < 15_000_000_000)
        try await rig.control("DELETE", "/_sandbox/faults", "")
        let loop = TestLoop()
        let second = try await rig.startWorker(on: loop)
        let results = try await finals(rig, 100)
        #expect(results.values.allSatisfy { $0.status == .succeeded })
        let ledger = try await rig.ledger()
        #expect(ledger.count == 100)
        #expect(ledger.values.allSatisfy { $0 == 1 })
        await rig.drain(second, on: loop)
        loop.stop()
        await rig.stop()
    }

    @Test func `Stripe down: nothing parked, few attempts, and back by itself`() async throws {
        let rig = try await WorkerRig.start()
        let worker = try await rig.startWorker()
        try await rig.control("PUT", "/_sandbox/faults", #"[{"fault":"status_503","rate":1}]"#)
        for index in 0..<200 { try await rig.client.charge("down-\(index)") }
        _ = try await rig.log.first { $0.contains("stripe_stopped") }
        _ = try await rig.log.first { $0.contains("stripe_probe") }
        try await rig.control("DELETE", "/_sandbox/faults", "")
        let results = try await finals(rig, 200)
        #expect(results.values.allSatisfy { $0.status == .succeeded })
        // How soon the breaker opens depends on the machine; that it does shows in the sum.
        #expect(results.values.reduce(0) { $0 + $1.attempts } <= 3 * 200)
        #expect(try await rig.ledger().values.allSatisfy { $0 == 1 })
        await rig.drain(worker)
        await rig.stop()
    }

    /// Somebody bound a queue of their own to the results, and it is full: RabbitMQ then nacks every result.
    @Test func `a full queue at the results holds charges back, and loses none`() async throws {
        let rig = try await WorkerRig.start()
        let full = rig.prefix + "-full"
        try await rig.client.bindFullQueue(full)
        let worker = try await rig.startWorker()
        for index in 0..<20 { try await rig.client.charge("full-\(index)") }
        while try await rig.ledger().count < 20 { try Task.checkCancellation() }
        try await rig.broker.ctl(["delete_queue", full])
        let results = try await finals(rig, 20)
        #expect(results.values.allSatisfy { $0.status == .succeeded })
        #expect(try await rig.ledger().values.allSatisfy { $0 == 1 })
        await rig.drain(worker)
        await rig.stop()
    }

    @Test func `a revoked key stops the worker with its name, and a mended one starts it again`() async throws {
        let rig = try await WorkerRig.start()
        let worker = try await rig.startWorker()
        try await rig.control("PUT", "/_sandbox/faults", #"[{"fault":"status_401","rate":1}]"#)
        for index in 0..<20 { try await rig.client.charge("revoked-\(index)") }
        let line = try await rig.log.first { $0.contains("stripe_stopped") }
        #expect(line.contains("STRIPE_SECRET_KEY"))
        let loop = rig.workerLoop.loop
        #expect(await Task(executorPreference: loop) { await worker.isReady }.value == false)
        try await rig.control("DELETE", "/_sandbox/faults", "")
        let results = try await finals(rig, 20)
        #expect(results.values.allSatisfy { $0.status == .succeeded })
        await rig.drain(worker)
        await rig.stop()
    }

    @Test func `the account's limit is met, not fought`() async throws {
        var sandbox = SandboxSettings()
        sandbox.rateLimit = 50
        let rig = try await WorkerRig.start(sandbox: sandbox, ["CHARGELINE_STRIPE_RATE": "200"])
        let worker = try await rig.startWorker()
        for index in 0..<100 { try await rig.client.charge("limited-\(index)") }
        let results = try await finals(rig, 100)
        #expect(results.values.allSatisfy { $0.status == .succeeded && $0.attempts == 1 })
        await rig.drain(worker)
        await rig.stop()
    }

    @Test func `without a broker it stays up, and works once there is one`() async throws {
        let broker = try await PrivateBroker.own()
        try await broker.stop()
        let test = TestLoop()
        let rig = try await WorkerRig.start(["AMQP_URL": broker.url], clientWaits: false)
        let worker = try await rig.startWorker(on: test)
        _ = try await rig.log.first { $0.contains("\"lost\"") }
        try await broker.start()
        _ = try await rig.log.first { $0.contains("worker_ready") }
        await rig.drain(worker, on: test)
        test.stop()
        await rig.stop()
        try await broker.stop()
    }
}

extension WorkerTroubleTests {
    /// What a crash does to the broker: the connection goes with everything unacked. `count` times in a row, then a
    /// worker that lives.
    @Test func `a charge that came back twice is marked and worked on alone`() async throws {
        let rig = try await WorkerRig.start()
        for index in 0..<10 { try await rig.client.charge("neighbour-\(index)") }
        for _ in 0..<3 { try await rig.client.takeAndDropCharges(10) }
        let worker = try await rig.startWorker()
        let results = try await finals(rig, 10)
        #expect(results.values.allSatisfy { $0.status == .succeeded })
        #expect(try await rig.ledger().values.allSatisfy { $0 == 1 })
        await rig.drain(worker)
        await rig.stop()
    }

    /// A broker that restarts raises the count of what was only held: that must not add up over a charge's life.
    @Test func `a visit that comes to an end clears the mark`() async throws {
        let rig = try await WorkerRig.start()
        let fault = #"[{"fault":"status_409","rate":1,"match":{"charge_id":"marked"}}]"#
        try await rig.control("PUT", "/_sandbox/faults", fault)
        try await rig.client.charge("marked", headers: [MessageHeader("x-chargeline-suspect", .int(2))])
        let worker = try await rig.startWorker()
        _ = try await rig.log.first { $0.contains("\"waits\"") }
        await rig.drain(worker)
        // Returned so often it is marked again, which were the third time, had the others not been forgotten.
        for _ in 0..<3 { try await rig.client.takeAndDropCharges(1) }
        try await rig.control("DELETE", "/_sandbox/faults", "")
        let loop = TestLoop()
        let second = try await rig.startWorker(on: loop)
        #expect(try await finals(rig, 1)["marked"]?.status == .succeeded)
        await rig.drain(second, on: loop)
        loop.stop()
        await rig.stop()
    }

    @Test func `one whose workers died alone with it is looked up, then parked with its reason`() async throws {
        let rig = try await WorkerRig.start()
        let headers = [
            MessageHeader("x-chargeline-suspect", .int(3)),
            MessageHeader("x-chargeline-first-sent", .int(LoopClock.wall())),
        ]
        try await rig.client.charge("charged")
        let worker = try await rig.startWorker()
        _ = try await finals(rig, 1)
        try await rig.client.charge("charged", headers: headers)
        try await rig.client.charge("killer", headers: headers)
        #expect(try await finals(rig, 1)["charged"]?.status == .succeeded)
        #expect(try await rig.client.parked.next().key == "checkout.kills-workers")
        #expect(try await rig.ledger() == ["charged": 1])
        await rig.drain(worker)
        await rig.stop()
    }
}
