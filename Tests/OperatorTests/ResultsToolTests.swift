import ChargeWire
import Charging
import JSONText
import Messaging
import TestSupport
import Testing

/// `chargeline results` and `chargeline parked` as processes, against a real broker.
@Suite(.takesTurns, .timeLimit(.minutes(8))) struct ResultsToolTests {
    static func result(_ number: Int, _ topology: ChargeTopology) throws -> Posting {
        let request = ChargeRequest(
            id: try ChargeID(validating: "order-\(number)"), token: nil, amount: 1999,
            currency: try #require(Currency("usd")))
        let result = ChargeResult(
            of: request, status: .succeeded, lane: "checkout", stripe: StripeReference(paymentIntent: "pi_1"),
            attempts: 1, acceptedAt: 1_767_323_045_000, completedAt: 1_767_323_045_678)
        let delivery = ChargeDelivery(
            body: [], lane: "checkout", handle: DeliveryHandle(epoch: 0, channel: 0, tag: 0))
        let routed = topology.message(for: .result(result, for: delivery))
        return Posting(exchange: routed.exchange, key: routed.routingKey, message: routed.message)
    }

    @Test func `taken results leave the queue once they are written, and no more than were asked for`() async throws {
        let rig = try await ToolRig()
        try await rig.publish(try (1...5).map { try Self.result($0, rig.topology) })
        let taken = try await rig.run("results", "--take", "-n", "3", "--json")
        try #require(taken.exit == .status(0), "\(taken.errors)")
        let lines = taken.output.split(separator: "\n")
        #expect(try lines.map { try members(of: String($0))["id"] ?? "" } == ["order-1", "order-2", "order-3"])
        let rest = try await rig.take(2, from: rig.topology.results)
        #expect(rest.map(\.message.messageID) == ["order-4.succeeded", "order-5.succeeded"])
        #expect(try await rig.depth(of: rig.topology.results) == 0)
    }

    @Test func `a watched result is a copy, in text or JSON`() async throws {
        let rig = try await ToolRig()
        try await rig.declare()
        let text = try rig.start("results", "-n", "1")
        let json = try rig.start("results", "-n", "1", "--json")
        // Both must be bound before a result is published: until then each publish is missed.
        let publisher = Task {
            var published = 0
            while !Task.isCancelled {
                published += 1
                try await rig.publish([try Self.result(published, rig.topology)])
            }
            return published
        }
        #expect(await text.exit() == .status(0))
        #expect(await json.exit() == .status(0))
        publisher.cancel()
        let published = try await publisher.value
        let line = try await text.output.next()
        #expect(
            line.hasPrefix("2026-01-02T03:04:05.678Z  order-") && line.contains("succeeded  19.99 usd  checkout  pi_1"))
        #expect(try members(of: try await json.output.next())["stripe.payment_intent"] == "pi_1")
        #expect(try await rig.depth(of: rig.topology.results) == published)
    }

    @Test func `a reader that goes away ends the watch without a fuss`() async throws {
        let rig = try await ToolRig()
        try await rig.publish(try (1...50).map { try Self.result($0, rig.topology) })
        let command = "\(ToolRig.program) results --take --json | head -n 1"
        let run = try await ChildProcess.run("/bin/sh", ["-c", command], environment: rig.environment)
        #expect(run.exit == .status(0) && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.split(separator: "\n").count == 1)
    }

    @Test func `a queue that nobody declared is named with the mend`() async throws {
        let rig = try await ToolRig()
        let taken = try await rig.run("results", "--take")
        #expect(taken.exit == .status(2) && taken.errors.contains("topology declare"), "\(taken.errors)")
        let parked = try await rig.run("parked", "list")
        #expect(parked.exit == .status(2) && parked.errors.contains("topology declare"), "\(parked.errors)")
    }

    static func parked(
        _ id: String?, key: String, body: String, _ topology: ChargeTopology, _ headers: [MessageHeader] = []
    ) -> Posting {
        let message = Message(body: Array(body.utf8), messageID: id, timestamp: 1_767_323_045, headers: headers)
        return Posting(exchange: topology.parked, key: key, message: message)
    }

    @Test func `parked messages are listed by reason, shown masked, and stay where they are`() async throws {
        let rig = try await ToolRig()
        let token = "tok_1" + String(repeating: "Q", count: 24)
        let reason = MessageHeader(ChargeHeaders.Name.reason, .text("absent"))
        let sent = MessageHeader(ChargeHeaders.Name.firstSent, .int(1_767_323_046_000))
        let messages = [
            Self.parked(
                "order-1", key: "checkout.absent", body: "{\"id\":\"order-1\",\"token\":\"\(token)\"}", rig.topology,
                [reason, sent]),
            Self.parked("order-2", key: "batch.absent", body: "{\"id\":\"order-2\"}", rig.topology, [reason]),
            Self.parked(nil, key: "bach", body: "{\"id\":\"order-3\",\"amount\":4242424242424242}", rig.topology),
            Self.parked(nil, key: "batch.unreadable", body: "\u{1B}[2Jnonsense", rig.topology),
        ]
        try await rig.publish(messages)
        let listed = try await rig.run("parked", "list")
        #expect(listed.exit == .status(0), "\(listed.errors)")
        #expect(listed.output.hasPrefix("absent  2  may have been sent"))
        #expect(listed.output.contains("unknown-lane  1") && listed.output.contains("(no id)  lane batch"))
        #expect(listed.output.contains("order-1  lane checkout") && listed.output.contains("may have moved money"))
        let some = try members(of: try await rig.run("parked", "list", "--limit", "2", "--json").output)
        #expect(some["parked"] == "4" && some["listed"] == "2" && some["reasons.0.count"] == "2")
        let shown = try await rig.run("parked", "show", "order-1")
        #expect(shown.exit == .status(0) && shown.output.contains("\"token\":\"tok_…\""), "\(shown.output)")
        #expect(shown.output.contains("x-chargeline-first-sent  1767323046000 (2026-01-02T03:04:06.000Z)"))
        let card = try await rig.run("parked", "show", "order-3", "--json")
        #expect(card.exit == .status(0) && !card.output.contains("4242"), "\(card.output)")
        let missing = try await rig.run("parked", "show", "order-9")
        #expect(missing.exit == .status(1) && missing.errors.contains("not among 4 parked"))
        #expect(!(listed.output + shown.output).contains("QQQ") && !listed.output.contains("\u{1B}"))
        #expect(try await rig.depth(of: rig.topology.parked) == 4)
    }
}
