import ChargeWire
import Charging
import Messaging
import TestSupport
import Testing

/// `chargeline send` as a process, against a real broker.
@Suite(.takesTurns, .timeLimit(.minutes(8))) struct SendToolTests {
    @Test func `every row arrives in its lane, confirmed and stamped, with nothing of ours left out`() async throws {
        let rig = try await ToolRig()
        let sent = try await rig.run("send", try rig.file(rows: 700), "--json")
        try #require(sent.exit == .status(0), "\(sent.errors)")
        let summary = try members(of: sent.output)
        #expect(summary["sent"] == "700" && summary["rows"] == "700" && summary["bad"] == "0")
        #expect(summary["lanes.batch"] == "700" && summary["amounts.usd.charges"] == "700")
        let taken = try await rig.take(700, from: rig.topology.queue(of: "batch"))
        #expect(Set(taken.compactMap(\.message.messageID)).count == 700)
        for delivery in taken.prefix(20) {
            let charge = ChargeDelivery(delivery, lane: "batch")
            let request = try ChargeRequest(json: charge.body, fallbackID: charge.messageID, flow: .paymentIntents)
            #expect(request.id.text == charge.messageID && request.currency.code == "usd")
            #expect(charge.headers.accepted != nil && charge.badHeader == nil && delivery.message.persistent)
            #expect(delivery.message.timestamp.map { $0 * 1000 / 1000 } == charge.headers.accepted.map { $0 / 1000 })
            #expect(delivery.message.contentType == "application/json" && delivery.redelivered == false)
        }
        // Not a terminal: no moving line, no colours.
        #expect(!sent.errors.contains("\u{1B}") && !sent.errors.contains("\r"))
    }

    @Test func `with a bad row nothing is sent, and each is told by line, column and reason`() async throws {
        var rig = try await ToolRig()
        // Nobody answers there: nothing may be tried.
        rig.environment["AMQP_URL"] = "amqp://127.0.0.1:1"
        let path = try rig.file(
            rows: 3, bad: ["x,tok_visa,19.99,usd,batch", "y,4242424242424242,100,usd,batch", "row-2,tok_visa,100,usd,"])
        let sent = try await rig.run("send", path)
        #expect(sent.exit == .status(1))
        let lines = sent.output.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.hasPrefix("line ") } == 3)
        #expect(lines.contains { $0.hasPrefix("line 5, amount: ") && $0.contains("minor units") })
        #expect(lines.contains { $0.hasPrefix("line 6, token: ") && $0.contains("card number") })
        #expect(lines.contains { $0.hasPrefix("line 7, id: ") && $0.contains("line 3 too") })
        #expect(!sent.output.contains("4242") && sent.output.contains("nothing was sent"))
        let json = try await rig.run("send", path, "--json")
        let summary = try members(of: json.output)
        #expect(json.exit == .status(1) && summary["bad"] == "3" && summary["sent"] == "0")
        #expect(summary["problems.0.line"] == "5" && summary["problems.0.column"] == "amount")
        #expect(summary["problems.0.code"] == "parameter_invalid_integer")
    }

    @Test func `check sends nothing and needs no broker`() async throws {
        var rig = try await ToolRig()
        rig.environment["AMQP_URL"] = "amqp://127.0.0.1:1"
        let checked = try await rig.run("send", try rig.file(rows: 5), "--check")
        #expect(checked.exit == .status(0) && checked.output.contains("rows   5  5.15 usd"), "\(checked.output)")
    }

    @Test func `standard input is read to its end, and a batch names its rows`() async throws {
        let rig = try await ToolRig()
        let input = "{\"token\":\"tok_visa\",\"amount\":100,\"currency\":\"usd\"}"
        let command = "printf '%s\\n%s\\n' '\(input)' '\(input)' | \(ToolRig.program) send - --batch gala --lane batch"
        let sent = try await ChildProcess.run("/bin/sh", ["-c", command], environment: rig.environment)
        try #require(sent.exit == .status(0), "\(sent.errors)")
        let taken = try await rig.take(2, from: rig.topology.queue(of: "batch"))
        #expect(taken.compactMap(\.message.messageID).sorted() == ["gala-1", "gala-2"])
    }

    @Test func `a wrong password ends it with 2, a broker that is not there with 3`() async throws {
        var rig = try await ToolRig()
        let path = try rig.file(rows: 2)
        rig.environment["AMQP_URL"] = "amqp://guest:wrong-secret@127.0.0.1:\(rig.broker.port)"
        let refused = try await rig.run("send", path)
        #expect(refused.exit == .status(2) && refused.errors.contains("nothing was sent"), "\(refused.errors)")
        #expect(!(refused.errors + refused.output).contains("wrong-secret"))
        rig.environment["AMQP_URL"] = "amqp://127.0.0.1:\(freePort())"
        let away = try await rig.run("send", path)
        #expect(away.exit == .status(3) && away.errors.contains("Connection refused"), "\(away.errors)")
    }

    @Test(arguments: [
        (["send", "x.csv", "--lane", "bach"], "did you mean batch?"), (["send", "x.csv", "--wait-for", "soon"], "10m"),
        (["send", "x.csv", "--batch", "a b"], "--batch must be"),
        (["send", "x.csv", "--format", "xml"], "csv or jsonl"),
        (["send", "none.csv"], "No such file"),
    ])
    func `a wrong command line is refused with 2`(arguments: [String], words: String) async throws {
        let rig = try await ToolRig()
        let refused = try await ChildProcess.run(ToolRig.program, arguments, environment: rig.environment)
        #expect(refused.exit == .status(2) && refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.output.isEmpty)
    }

    @Test func `interrupted, it stops where it is and says that to go on is safe`() async throws {
        let rig = try await ToolRig()
        try await rig.declare()
        let sender = try rig.start("send", try rig.file(rows: 100_000), "--json")
        let queue = rig.topology.queue(of: "batch")
        while try await rig.depth(of: queue) == 0 { try Task.checkCancellation() }
        sender.signal(2)
        let exit = await sender.exit()
        let summary = try members(of: await sender.output.rest().joined(separator: "\n"))
        #expect(exit == .status(130) && summary["interrupted"] == "true")
        let sent = Int(summary["sent"] ?? "") ?? 0
        #expect(sent > 0 && sent < 100_000)
        #expect(await sender.errors.rest().contains { $0.contains("is safe") })
        // All that was confirmed is there; what was in flight may be, too.
        let depth = try await rig.depth(of: queue) ?? 0
        #expect(depth >= sent && depth <= sent + 256)
    }

    @Test func `a file that changes under it is not sent to its end`() async throws {
        let rig = try await ToolRig()
        try await rig.declare()
        let path = try rig.file(rows: 100_000)
        let sender = try rig.start("send", path)
        while try await rig.depth(of: rig.topology.queue(of: "batch")) == 0 { try Task.checkCancellation() }
        try write("id,token,amount,currency,lane\nother,tok_visa,100,usd,batch\n", to: path)
        #expect(await sender.exit() == .status(1))
        #expect(await sender.errors.rest().contains { $0.contains("was changed while it was sent") })
    }

    @Test func `a broker that takes no publishes is waited for`() async throws {
        let broker = try await PrivateBroker.own()
        let rig = try await ToolRig(own: broker)
        try await rig.declare()
        try await broker.ctl(["set_vm_memory_high_watermark", "0.00001"])
        let sender = try rig.start("send", try rig.file(rows: 500), "--json")
        _ = try await sender.errors.first { $0.contains("takes no publishes") }
        try await broker.ctl(["set_vm_memory_high_watermark", "0.6"])
        #expect(await sender.exit() == .status(0))
        let summary = try members(of: await sender.output.rest().joined(separator: "\n"))
        #expect(summary["sent"] == "500")
        let taken = try await rig.take(500, from: rig.topology.queue(of: "batch"))
        #expect(Set(taken.compactMap(\.message.messageID)).count == 500)
        try await broker.stop()
    }

    @Test func `a broker that is killed and comes back costs time and no charge`() async throws {
        let broker = try await PrivateBroker.own()
        let rig = try await ToolRig(own: broker, settle: "2s")
        try await rig.declare()
        let sender = try rig.start("send", try rig.file(rows: 30_000), "--json")
        let queue = rig.topology.queue(of: "batch")
        while try await rig.depth(of: queue) ?? 0 < 500 { try Task.checkCancellation() }
        try await broker.kill()
        _ = try await sender.errors.first { $0.contains("the broker is away") }
        try await broker.start()
        #expect(await sender.exit() == .status(0))
        let summary = try members(of: await sender.output.rest().joined(separator: "\n"))
        #expect(summary["sent"] == "30000" && summary["published_again"] != "0")
        var ids: Set<String> = []
        let depth = try #require(try await rig.depth(of: queue))
        for delivery in try await rig.take(depth, from: queue) { ids.insert(delivery.message.messageID ?? "") }
        #expect(ids.count == 30_000 && depth >= 30_000)
        try await broker.stop()
    }
}
