import ChargeWire
import Charging
import Messaging
import Settings
import TestSupport
import Testing

@testable import Operator

@Suite(.takesTurns, .timeLimit(.minutes(8))) struct DoctorTests {
    @Test(arguments: [
        ("Tue, 01 Dec 2026 03:17:16 GMT", 1_796_095_036_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 01 Foo 2026 03:17:16 GMT", nil), ("Tuesday, 01-Dec-26 03:17:16 GMT", nil), ("", nil),
        ("Tue, 31 Feb 2026 03:17:16 GMT", nil),
    ])
    func `an HTTP date`(text: String, milliseconds: Int64?) {
        #expect(HTTPDate.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        (0, Finding.State.ok, ""), (29_000, .ok, ""), (-29_000, .ok, ""), (31_000, .problem, "31 s ahead"),
        (-90_000, .problem, "90 s behind"),
    ])
    func `a clock may be 30 s off`(ahead: Int64, state: Finding.State, words: String) {
        let finding = StripeExamination.clock(
            theirs: 1_000_000_000, before: 1_000_000_400 + ahead, after: 1_000_000_600 + ahead)
        #expect(finding.state == state && finding.text.contains(words), "\(finding)")
    }

    @Test(arguments: [
        ("sk_test_abcdefgh", "http://127.0.0.1:1", Finding.State.ok, "a test secret key"),
        ("rk_live_abcdefgh", "https://api.stripe.com", .ok, "a LIVE restricted key"),
        ("sk_live_abcdefgh", "https://stripe.example.com", .problem, "is not Stripe"),
        ("sk_abcdefgh", "https://api.stripe.com", .problem, "neither test nor live"),
    ])
    func `a key is told by its kind alone`(key: String, base: String, state: Finding.State, words: String) throws {
        let finding = StripeExamination.key(Secret(key), base: try #require(ServiceURL(base)))
        #expect(finding.state == state && finding.text.contains(words), "\(finding)")
        let line = finding.line(hasColors: false)
        #expect(!line.contains("abcdefgh") && !line.contains("\u{1B}"))
        #expect(finding.line(hasColors: true).hasPrefix(state == .ok ? "\u{1B}[32mok" : "\u{1B}[31mproblem"))
    }

    @Test func `each answer of Stripe has its mend`() throws {
        let base = try #require(ServiceURL("https://api.stripe.com"))
        func state(_ outcome: StripeOutcome) -> Finding.State { StripeExamination.answer(outcome, base: base).state }
        func answered(_ status: Int) -> StripeOutcome {
            .answered(StripeAnswer(status: status, requestID: "req_1", body: .other("balance")))
        }
        #expect(state(answered(200)) == .ok)
        for status in [401, 403, 429, 500] { #expect(state(answered(status)) == .problem) }
        #expect(state(.notSent(NotSent(kind: .resolve, message: "no such name"))) == .unreachable)
        #expect(state(.noAnswer("timeout")) == .unreachable && state(.notStripe("html")) == .problem)
    }

    @Test(arguments: [
        ("RabbitMQ", "3.10.8", Finding.State.ok), ("RabbitMQ", "4.1.0", .ok), ("RabbitMQ", "3.9.29", .problem),
        ("RabbitMQ", "", .problem), ("Qpid", "9.0.0", .problem),
    ])
    func `brokers that can do it`(product: String, version: String, state: Finding.State) {
        let finding = BrokerExamination.version(product: product, version: version, cluster: "c")
        #expect(finding.state == state)
    }

    // MARK: As a process

    @Test func `on a sound system every line is ok or cannot be seen`() async throws {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        try await rig.declare()
        let doctor = try await rig.run("doctor")
        #expect(doctor.exit == .status(0), "\(doctor.output)\(doctor.errors)")
        let states = doctor.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(Set(states) == ["ok", "unseen"] && states.count >= 7, "\(doctor.output)")
        let json = try members(of: try await rig.run("doctor", "--json").output)
        #expect(json["ok"] == "true" && json["checks.0.check"] == "broker" && json["checks.0.state"] == "ok")
        // It left nothing behind: no message in any queue.
        for queue in rig.topology.plan.queues { #expect(try await rig.depth(of: queue.name) == 0) }
        sandbox.signal(15)
        _ = await sandbox.exit()
    }

    @Test func `what is missing, foreign or away is said with its mend`() async throws {
        var rig = try await ToolRig()
        rig.environment["STRIPE_API_BASE"] = "http://127.0.0.1:\(freePort())"
        let bare = try await rig.run("doctor")
        #expect(bare.exit == .status(1), "\(bare.output)")
        #expect(bare.output.contains("nothing of \(rig.prefix) is declared yet"))
        #expect(bare.output.contains("STRIPE_SECRET_KEY is not set"))
        rig.environment["STRIPE_SECRET_KEY"] = "sk_test_rig01234"
        let endpoints = try BrokerEndpoint.parseList(rig.broker.url)
        let (topology, prefix) = (rig.topology, rig.prefix)
        try await onTestLoop { room in
            var plan = LinkPlan(endpoints: endpoints, name: "test", channels: [])
            var wanted = topology.plan
            wanted.queues.append(.init("\(prefix).spy", arguments: []))
            wanted.bindings.append(.init(queue: "\(prefix).spy", exchange: topology.wait, routingKey: "#"))
            plan.topology = wanted
            let link = BrokerLink(loop: room.loop, plan: plan, random: { 0.5 })
            link.start()
            try await link.untilUp(within: 120_000_000_000)
            await link.close()
        }
        let spied = try await rig.run("doctor")
        #expect(spied.exit == .status(3), "\(spied.output)")
        #expect(spied.output.contains("a queue that is not ours is bound to every key of \(topology.wait)"))
        #expect(spied.output.contains("unreachable  stripe"))
        rig.environment["AMQP_URL"] = "amqp://127.0.0.1:\(freePort())"
        let away = try await rig.run("doctor", "--json")
        let found = try members(of: away.output)
        #expect(away.exit == .status(3) && found["ok"] == "false" && found["checks.0.state"] == "unreachable")
        #expect(found["checks.0.mend"]?.isEmpty == false)
    }

    @Test func `topology check finds what differs, and declare makes what is missing`() async throws {
        var rig = try await ToolRig()
        let before = try await rig.run("topology", "check")
        #expect(before.exit == .status(1) && before.output.contains("\(rig.prefix).charges"), "\(before.output)")
        let made = try await rig.run("topology", "declare")
        #expect(made.exit == .status(0) && made.output.contains("made queue \(rig.prefix).results"), "\(made.errors)")
        let again = try await rig.run("topology", "declare", "--json")
        #expect(again.exit == .status(0) && again.output.contains("\"new_queues\":[]"), "\(again.output)")
        let after = try await rig.run("topology", "check")
        #expect(after.exit == .status(0) && after.output.contains("as they should be"), "\(after.output)")
        // Another lane is another pair of queues: they are missing, nothing else is.
        rig.environment["CHARGELINE_LANES"] = "checkout,batch,late"
        let lanes = try await rig.run("topology", "check", "--json")
        let found = try members(of: lanes.output)
        #expect(lanes.exit == .status(1) && found["differences.0.name"] == "\(rig.prefix).charges.late")
        #expect(found["differences.0.mend"]?.isEmpty == false)
    }
}
