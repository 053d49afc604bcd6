import ChargeWire
import Charging
import Messaging
import TestSupport
import Testing

/// `chargeline parked retry` as a process, against a real broker, with real workers and the sandbox.
@Suite(.timeLimit(.minutes(10)), .takesTurns) struct ParkedRetryTests {
    @Test func `what is meant goes back with all that is known of it, the rest stays in its order`() async throws {
        let rig = try await ToolRig()
        let accepted = ToolRig.now() - 3_600_000
        let known = rig.parked(
            "order-1", "operator", accepted: accepted,
            change: { headers in
                headers.firstSent = accepted + 1000
                headers.lastSent = accepted + 2000
                headers.attempts = 8
                headers.flow = .charges
                headers.encoding = 1
                headers.keyTaken = accepted + 3000
                headers.caller = "shop"
                headers.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
        let death = rig.parked(
            "order-5", "kills-workers", lane: "batch", change: { $0.suspect = 2 },
            further: [
                MessageHeader("x-first-death-queue", .text("elsewhere")), MessageHeader("x-chargeline-newer", .int(7)),
            ])
        try await rig.publish([
            known, rig.parked("order-2", "doubled"), rig.parked("order-3", "absent"), rig.parked("order-4", "operator"),
            death, rig.parked("order-6", "operator"),
        ])
        let run = try await rig.run("parked", "retry", "order-1", "order-5", "order-9")
        #expect(run.exit == .status(1), "\(run.errors)")
        #expect(run.output.contains("retried 2 charges") && run.output.contains("order-9 is not parked"))
        let back = try #require(try await rig.take(1, from: rig.topology.againQueue(of: "checkout")).first)
        let charge = ChargeDelivery(back, lane: "checkout")
        let before = ChargeDelivery(known.delivered, lane: "checkout")
        #expect(charge.headers == before.headers && charge.body == before.body)
        #expect(back.message.correlationID == "cor-order-1" && back.message.timestamp == accepted / 1000)
        #expect(back.message[header: ChargeHeaders.Name.reason] == nil)
        let suspect = try #require(try await rig.take(1, from: rig.topology.againQueue(of: "batch")).first)
        let headers = ChargeDelivery(suspect, lane: "batch").headers
        #expect(headers.suspect == 1 && headers.firstSent == headers.accepted && headers.lastSent != nil)
        #expect(suspect.message[header: "x-first-death-queue"] == nil)
        #expect(suspect.message[header: "x-chargeline-newer"] == .int(7))
        #expect(try await rig.takeParked(4) == ["order-2", "order-3", "order-4", "order-6"])
    }

    @Test func `what nobody can do better is refused with the reason, and stays`() async throws {
        let rig = try await ToolRig()
        try await rig.publish([
            rig.parked("order-1", "doubled"), rig.parked("order-2", "unreadable", body: "{\"id\":\"order-2\""),
            rig.parked("order-3", "card-number"), rig.parked("order-4", "tomorrows-reason"),
            Posting(
                exchange: rig.topology.charges, key: "bach",
                message: Message(body: Array(#"{"id":"order-5"}"#.utf8), messageID: "order-5")),
            rig.parked("order-6", "operator"),
            // It waited when its lane was taken away.
            Posting(
                exchange: rig.topology.wait, key: "1s.bach",
                message: Message(body: Array(#"{"id":"order-7"}"#.utf8), messageID: "order-7")),
        ])
        while try await rig.depth(of: rig.topology.parked) != 7 { try Task.checkCancellation() }
        let run = try await rig.run("parked", "retry", "--all", "--json")
        #expect(run.exit == .status(1), "\(run.errors)")
        let told = try members(of: run.output)
        #expect(told["charges"] == "1" && told["unseen"] == "0" && told["parked"] == "7")
        let refused = (0..<6).map { told["refused.\($0).why"] ?? "" }
        for (why, words) in zip(
            refused,
            ["refund one", "send it anew", "send a token", "does not know the reason", "no lane bach", "no lane bach"])
        { #expect(why.contains(words), "\(why)") }
        // A lane that there is, and the worker judges the rest.
        let moved = try await rig.run("parked", "retry", "--reason", "unknown-lane", "--to-lane", "batch")
        #expect(moved.exit == .status(0) && moved.output == "retried 2 charges", "\(moved.errors)")
        let back = try await rig.take(2, from: rig.topology.againQueue(of: "batch"))
        #expect(back.map(\.message.messageID) == ["order-5", "order-7"])
        let slip = try await rig.run("parked", "retry", "--reason", "operater")
        #expect(slip.exit == .status(0) && slip.errors.contains("did you mean operator?"), "\(slip.errors)")
        #expect(try await rig.takeParked(4) == ["order-1", "order-2", "order-3", "order-4"])
    }

    @Test func `a result that its consumer rejected goes back to the results as it was`() async throws {
        let rig = try await ToolRig()
        let sent = try (1...3).map { try ResultsToolTests.result($0, rig.topology) }
        try await rig.publish(sent)
        try await rig.reject(3, from: rig.topology.results)
        while try await rig.depth(of: rig.topology.parked) != 3 { try Task.checkCancellation() }
        let listed = try await rig.run("parked", "list")
        #expect(listed.output.hasPrefix("rejected  3  a result that its consumer rejected"), "\(listed.output)")
        let run = try await rig.run("parked", "retry", "--reason", "rejected")
        #expect(run.exit == .status(0) && run.output.contains("retried 0 charges") == false, "\(run.output)")
        let back = try await rig.take(3, from: rig.topology.results)
        for (delivery, posting) in zip(back, sent) {
            #expect(delivery.exchange == rig.topology.results && delivery.routingKey == posting.key)
            #expect(delivery.message.body == posting.message.body && delivery.message.type == posting.message.type)
            #expect(delivery.message.messageID == posting.message.messageID && delivery.message.persistent)
        }
        #expect(try await rig.depth(of: rig.topology.parked) == 0)
    }

    @Test func `killed in the middle it loses nothing, doubles nothing, and goes on when it is run again`() async throws
    {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        let count = 400
        try await rig.publish((0..<count).map { rig.parked("order-\($0)", "operator") })
        try await rig.publish([rig.parked("stays", "absent")])
        let (again, parked) = (rig.topology.againQueue(of: "checkout"), rig.topology.parked)
        for limit in [20, 60, 100] {
            let retry = try rig.start("parked", "retry", "--reason", "operator", "--rate", "40")
            while try await rig.depth(of: again) ?? 0 < limit { try Task.checkCancellation() }
            retry.signal(9)
            #expect(await retry.exit() == .signal(9))
            // What it held comes back once the broker sees that it has gone.
            while true {
                try Task.checkCancellation()
                let (moved, left) = try await (rig.depth(of: again) ?? 0, rig.depth(of: parked) ?? 0)
                if moved + left > count { break }
            }
        }
        let last = try await rig.run("parked", "retry", "--reason", "operator")
        #expect(last.exit == .status(0), "\(last.errors)")
        let (worker, _) = try await RoleProcessTests.readyWorker(rig)
        while try await rig.sandbox("charged") != "\(count)" { try Task.checkCancellation() }
        worker.signal(15)
        #expect(await worker.exit() == .status(0))
        // One at least for each: what was confirmed and not yet acked at a kill is there twice.
        let told = try #require(try await rig.depth(of: rig.topology.results))
        let results = try await rig.take(told, from: rig.topology.results).map {
            try ChargeResult(json: $0.message.body)
        }
        #expect(results.allSatisfy { $0.status == .succeeded })
        #expect(Set(results.map(\.id.text)) == Set((0..<count).map { "order-\($0)" }))
        #expect(try await rig.sandbox("tries") == "\(count)" && results.count >= count)
        #expect(try await rig.sandbox("doubled.0") == "none")
        #expect(try await rig.takeParked(1) == ["stays"])
        sandbox.signal(9)
    }

    @Test func `a broker that is killed in the middle is waited for, and nothing is lost`() async throws {
        let rig = try await ToolRig(own: try await PrivateBroker.own(), settle: "2s")
        let count = 600
        try await rig.publish((0..<count).map { rig.parked("order-\($0)", "operator") })
        try await rig.publish([rig.parked("stays", "absent")])
        let again = rig.topology.againQueue(of: "checkout")
        let retry = try rig.start("parked", "retry", "--reason", "operator", "--rate", "150")
        while try await rig.depth(of: again) ?? 0 < 100 { try Task.checkCancellation() }
        try await rig.broker.kill()
        _ = try await retry.errors.first { $0.contains("the broker is away") }
        try await rig.broker.start()
        #expect(await retry.exit() == .status(0))
        #expect(await retry.output.rest() == ["retried \(count) charges"])
        let depth = try #require(try await rig.depth(of: again))
        let ids = try await rig.take(depth, from: again).map { $0.message.messageID ?? "" }
        #expect(Set(ids) == Set((0..<count).map { "order-\($0)" }))
        // Twice is only what was under way.
        #expect((count...count + 256).contains(depth), "\(depth)")
        #expect(try await rig.takeParked(1) == ["stays"])
        #expect(try await rig.depth(of: rig.topology.parked) == 0)
        try await rig.broker.stop()
    }

    @Test func `what may have been sent a day ago is looked up and never posted`() async throws {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        let (worker, _) = try await RoleProcessTests.readyWorker(rig)
        let hour: Int64 = 3_600_000
        let now = ToolRig.now()
        try await rig.publish([
            rig.parked("old-1", "operator", accepted: now - 27 * hour) { headers in
                headers.firstSent = now - 27 * hour
                headers.lastSent = now - 26 * hour
            },
            rig.parked("old-2", "absent", accepted: now - 50 * hour) { headers in
                headers.firstSent = now - 50 * hour
                headers.lastSent = now - 30 * hour
                headers.phase = .lookup
                headers.lookups = 20
            },
        ])
        let run = try await rig.run("parked", "retry", "--all")
        #expect(run.exit == .status(0) && run.output.contains("retried 2 charges"), "\(run.errors)")
        // Nothing is found, so a person has to look again.
        while try await rig.depth(of: rig.topology.parked) != 2 { try Task.checkCancellation() }
        #expect(Set(try await rig.takeParked(2)) == ["old-1", "old-2"])
        #expect(try await rig.ledger().isEmpty)
        worker.signal(15)
        #expect(await worker.exit() == .status(0))
        sandbox.signal(9)
    }

    @Test(arguments: [
        ("parked retry", "say which: ID…, --reason or --all"), ("parked retry a --all", "give only one of"),
        ("parked retry --all --rate 0", "--rate must be"), ("parked retry a/b", "is no charge id"),
        ("parked retry --all --to-lane chekout", "did you mean checkout?"),
    ])
    func `a slip is answered with 2 and nothing is moved`(line: String, words: String) async throws {
        let refused = try await ProgramTests.run(line, ["AMQP_URL": "amqp://127.0.0.1:1"])
        #expect(refused.exit == .status(2) && refused.errors.contains(words), "\(refused.errors)")
    }

    @Test func `a broker that is not there is told with 3, a queue that is not there with its mend`() async throws {
        let away = try await ProgramTests.run("parked retry --all", ["AMQP_URL": "amqp://127.0.0.1:\(freePort())"])
        #expect(away.exit == .status(3), "\(away.errors)")
        let rig = try await ToolRig()
        let missing = try await rig.run("parked", "retry", "--all")
        #expect(missing.exit == .status(2) && missing.errors.contains("topology declare"), "\(missing.errors)")
        try await rig.declare()
        let empty = try await rig.run("parked", "retry", "--all")
        #expect(empty.exit == .status(0) && empty.output == "nothing is parked", "\(empty.output)")
    }
}
