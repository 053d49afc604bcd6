import ChargeWire
import Charging
import Messaging
import TestSupport
import Testing

/// `chargeline parked discard` as a process, against a real broker and the sandbox.
@Suite(.timeLimit(.minutes(10)), .takesTurns) struct ParkedDiscardTests {
    /// Confirms come in any order.
    static func lines(_ output: String) -> Set<String> { Set(output.split(separator: "\n").map(String.init)) }

    @Test func `each message leaves a record of who and why, masked, before it is gone`() async throws {
        let rig = try await ToolRig()
        let token = "tok_1" + String(repeating: "Q", count: 24)
        try await rig.publish([
            rig.parked("order-1", "absent", token: token, change: { $0.firstSent = $0.accepted }),
            rig.parked("order-2", "operator"),
            rig.parked("order-3", "unreadable", body: "{\"id\":\"order-3\",\"number\":4242424242424242"),
            rig.parked("order-4", "unreadable", body: "nonsense"),
        ])
        let why = "seen at Stripe by hand, not there; sk_test_abcdefghijklmnop"
        let run = try await rig.run(
            "parked", "discard", "order-1", "order-9", "--why", why, "--who", "ann", "--yes", "--json")
        #expect(run.exit == .status(1) && run.errors.contains("order-9 is not parked"), "\(run.errors)")
        let all = try await rig.run(
            "parked", "discard", "--reason", "unreadable", "--why", "a test", "--who", "ann", "--yes")
        #expect(all.exit == .status(0), "\(all.errors)")
        #expect(Self.lines(all.output) == ["discarded  order-3  unreadable", "discarded  order-4  unreadable"])
        let records = try await rig.take(3, from: rig.topology.results)
        let first = records[0].message
        #expect(records[0].routingKey == "checkout.discarded" && first.type == "charge.discarded" && first.persistent)
        #expect(String(decoding: first.body, as: UTF8.self) == run.output)
        let record = try members(of: run.output)
        #expect(record["event"] == first.messageID && record["event"]?.hasPrefix("order-1.discarded.") == true)
        #expect(record["who"] == "ann" && record["why"]?.hasPrefix("seen at Stripe by hand") == true)
        #expect(record["reason"] == "absent" && record["final"] == "false" && record["sequence"] == "0")
        #expect(record["first_sent_at"] == record["accepted_at"] && record["not_charged"] == "false")
        #expect(record["body"]?.contains("\"token\":\"tok_…\"") == true, "\(record["body"] ?? "")")
        let everything = records.map { String(decoding: $0.message.body, as: UTF8.self) }.joined() + run.errors
        for secret in ["QQQ", "4242", "abcdefghij"] { #expect(!everything.contains(secret), "\(secret)") }
        #expect(try await rig.takeParked(1) == ["order-2"])
    }

    @Test func `killed in the middle, nothing is gone without its record`() async throws {
        let rig = try await ToolRig()
        let count = 500
        try await rig.publish((0..<count).map { rig.parked("order-\($0)", "unreadable") })
        let arguments = ["parked", "discard", "--reason", "unreadable", "--why", "a test", "--who", "ann", "--yes"]
        let (results, parked) = (rig.topology.results, rig.topology.parked)
        let killed = try ChildProcess(ToolRig.program, arguments, environment: rig.environment)
        while try await rig.depth(of: results) == 0 { try Task.checkCancellation() }
        killed.signal(9)
        _ = await killed.exit()
        // What it held comes back; each message is there or recorded, or both.
        while try await (rig.depth(of: results) ?? 0) + (rig.depth(of: parked) ?? 0) < count {
            try Task.checkCancellation()
        }
        while try await rig.depth(of: parked) != 0 {
            let again = try await ChildProcess.run(ToolRig.program, arguments, environment: rig.environment)
            #expect(again.exit == .status(0), "\(again.errors)")
        }
        let records = try await rig.take(try await rig.depth(of: results) ?? 0, from: results)
        // One event for each, however often it was said.
        #expect(Set(records.map(\.message.messageID)).count == count && records.count >= count)
    }

    @Test func `a program that takes results gets the record whole`() async throws {
        let rig = try await ToolRig()
        try await rig.publish([rig.parked("order-1", "absent")])
        let run = try await rig.run("parked", "discard", "order-1", "--why", "a", "--who", "ann", "--yes", "--json")
        let taken = try await rig.run("results", "--take", "-n", "1", "--json")
        #expect(taken.exit == .status(0) && taken.output == run.output, "\(taken.output)")
        // One that its consumer rejects goes back as any result does.
        try await rig.publish([rig.parked("order-2", "absent")])
        _ = try await rig.run("parked", "discard", "order-2", "--why", "a", "--who", "ann", "--yes")
        try await rig.reject(1, from: rig.topology.results)
        while try await rig.depth(of: rig.topology.parked) != 1 { try Task.checkCancellation() }
        let retry = try await rig.run("parked", "retry", "--reason", "rejected")
        #expect(retry.exit == .status(0) && retry.output == "retried 1 result", "\(retry.output)")
        let back = try #require(try await rig.take(1, from: rig.topology.results).first)
        #expect(back.routingKey == "checkout.discarded" && back.message.type == "charge.discarded")
    }

    @Test func `that no money moved is said only where Stripe does not know better`() async throws {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        try await ParkedDryRunTests.charged(rig, [("paid", "tok_visa"), ("no", "tok_chargeDeclined")])
        _ = try await rig.take(2, from: rig.topology.results)
        try await rig.publish([
            rig.parked("paid", "delivery-limit"), rig.parked("no", "operator", token: "tok_chargeDeclined"),
            rig.parked("never", "operator"), rig.parked("perhaps", "kills-workers", lane: "batch"),
            rig.parked("twice", "doubled"), rig.parked("odd", "unreadable", body: "{\"id\":\"odd\""),
        ])
        let run = try await rig.run(
            "parked", "discard", "paid", "no", "never", "perhaps", "twice", "odd", "--why", "cash", "--who", "ann",
            "--not-charged", "--yes")
        #expect(run.exit == .status(1), "\(run.errors)")
        #expect(Self.lines(run.output) == ["discarded  never  operator", "discarded  perhaps  kills-workers"])
        for words in [
            "paid  delivery-limit  Stripe knows it", "was charged (pi_", "no  operator  Stripe knows it",
            "twice  doubled  money moved", "odd  unreadable  it was never taken as a charge",
            "warning: perhaps may have been sent",
        ] { #expect(run.errors.contains(words), "\(words): \(run.errors)") }
        #expect(!run.errors.contains("never may have been sent"))
        let told = try await rig.take(4, from: rig.topology.results)
        #expect(
            told.map(\.routingKey).sorted() == [
                "batch.discarded", "batch.not_charged", "checkout.discarded", "checkout.not_charged",
            ])
        for delivery in told where delivery.message.type == "charge.not_charged" {
            let result = try ChargeResult(json: delivery.message.body)
            #expect(result.isFinal && result.failure?.code == "discarded" && result.amount == 500)
            #expect(result.event == "\(result.id.text).not_charged" && result.correlationID == "cor-\(result.id.text)")
        }
        #expect(try await rig.sandbox("tries") == "2")
        #expect(try await rig.takeParked(4) == ["paid", "no", "twice", "odd"])
        sandbox.signal(9)
    }

    @Test func `where Stripe cannot be asked nothing is discarded as not charged`() async throws {
        var rig = try await ToolRig()
        rig.environment["STRIPE_SECRET_KEY"] = "sk_test_rig"
        rig.environment["STRIPE_API_BASE"] = "http://127.0.0.1:\(freePort())"
        try await rig.publish([rig.parked("order-1", "operator")])
        let run = try await rig.run(
            "parked", "discard", "order-1", "--why", "cash", "--who", "ann", "--not-charged", "--yes")
        #expect(run.exit == .status(3) && run.errors.contains("nothing was discarded"), "\(run.errors)")
        #expect(try await rig.depth(of: rig.topology.parked) == 1)
    }

    @Test(arguments: [("no", 1), ("yes", 0)])
    func `on a terminal it shows what will go, and asks`(answer: String, exit: Int32) async throws {
        let rig = try await ToolRig()
        try await rig.publish([rig.parked("order-1", "absent"), rig.parked("order-2", "absent")])
        let command = "\(ToolRig.program) parked discard order-1 --why test --who ann"
        let run = try await ChildProcess.run(
            "/bin/sh", ["-c", "(sleep 0.2; echo \(answer)) | script -qec '\(command)' /dev/null"],
            environment: rig.environment)
        #expect(run.exit == .status(exit), "\(run.output)\(run.errors)")
        #expect(run.output.contains("order-1  lane checkout") && run.output.contains("Type yes to go on"))
        #expect(try await rig.depth(of: rig.topology.parked) == (exit == 0 ? 1 : 2))
    }

    @Test(arguments: [
        ("parked discard --why x --who ann --yes", "say which: ID… or --reason"),
        ("parked discard a --yes", "--why TEXT"),
        ("parked discard a --why x --yes", "--who NAME"), ("parked discard a --why x --who ann", "give --yes"),
        ("parked discard a --why x --who ann --yes --not-charged", "STRIPE_SECRET_KEY is not set"),
        ("parked discard a --why x --who ann --yes --all", "has no flag --all"),
    ])
    func `a slip is answered with 2 and nothing is discarded`(line: String, words: String) async throws {
        let refused = try await ProgramTests.run(line, ["AMQP_URL": "amqp://127.0.0.1:1"])
        #expect(refused.exit == .status(2) && refused.errors.contains(words), "\(refused.errors)")
    }
}
