import ChargeWire
import Messaging
import TestSupport
import Testing

/// The roles as processes: how they start, end, and what `send --wait` sees of them.
@Suite(.takesTurns, .timeLimit(.minutes(8))) struct RoleProcessTests {
    /// A rig with the sandbox as a process, and the settings of a worker for it.
    static func rig(
        _ sandboxFlags: String..., environment: [String: String] = [:]
    ) async throws -> (rig: ToolRig, sandbox: ChildProcess) {
        var rig = try await ToolRig()
        let sandbox = try ChildProcess(
            ToolRig.program, ["sandbox", "--listen", "127.0.0.1:0"] + sandboxFlags, environment: rig.environment)
        let line = try await sandbox.errors.first { $0.contains("listens on") }
        let base = line.split(separator: " ").last.map(String.init) ?? ""
        rig.environment["STRIPE_API_BASE"] = base
        rig.environment["STRIPE_SECRET_KEY"] = "sk_test_rig"
        rig.environment["CHARGELINE_STRIPE_RATE"] = "0"
        rig.environment.merge(environment) { $1 }
        return (rig, sandbox)
    }

    /// Starts a worker and waits until a health check finds it ready.
    static func readyWorker(_ rig: ToolRig) async throws -> (worker: ChildProcess, admin: String) {
        let admin = "127.0.0.1:\(freePort())"
        let worker = try rig.start("worker", "--admin-listen", admin)
        while try await rig.run("healthcheck", "worker", "--admin-listen", admin).exit != .status(0) {
            try Task.checkCancellation()
        }
        return (worker, admin)
    }

    @Test func `send waits for every result and counts them, and TERM drains the roles`() async throws {
        let (rig, sandbox) = try await Self.rig()
        let (worker, _) = try await Self.readyWorker(rig)
        let path = try rig.file(
            rows: 300, bad: (0..<10).map { "declined-\($0),tok_chargeDeclined,500,usd,checkout" })
        let sent = try await rig.run("send", path, "--wait", "--json")
        let summary = try members(of: sent.output)
        #expect(sent.exit == .status(0), "\(sent.errors)")
        #expect(summary["sent"] == "310" && summary["without_an_end"] == "0" && summary["two_ends"] == "0")
        #expect(summary["results.succeeded"] == "300" && summary["results.declined"] == "10")
        // The same file again is the same charges: they get the same results, and no money moves.
        let again = try members(of: try await rig.run("send", path, "--wait", "--json").output)
        #expect(again["results.succeeded"] == "300" && again["results.declined"] == "10")
        worker.signal(15)
        #expect(await worker.exit() == .status(0))
        sandbox.signal(2)
        #expect(await sandbox.exit() == .status(0))
    }

    @Test func `send gives up after wait-for, and says what has no end`() async throws {
        let rig = try await ToolRig()
        let sent = try await rig.run("send", try rig.file(rows: 3), "--wait-for", "300ms", "--json")
        let summary = try members(of: sent.output)
        #expect(sent.exit == .status(1) && summary["sent"] == "3" && summary["without_an_end"] == "3")
        #expect(summary["ran_out_of_time"] == "true")
    }

    @Test func `a second TERM ends a worker at once`() async throws {
        let (rig, sandbox) = try await Self.rig("--break", "hang_before_effect=x1")
        let (worker, admin) = try await Self.readyWorker(rig)
        _ = try await rig.run("send", try rig.file(rows: 1))
        // Its one charge hangs at the sandbox: the first TERM waits for it.
        while try await rig.depth(of: rig.topology.queue(of: "batch")) != 0 { try Task.checkCancellation() }
        worker.signal(15)
        while try await rig.run("healthcheck", "worker", "--admin-listen", admin).exit == .status(0) {
            try Task.checkCancellation()
        }
        worker.signal(15)
        #expect(await worker.exit() == .status(143))
        sandbox.signal(9)
    }

    @Test func `a queue with other arguments ends a worker with 2 and one clear line`() async throws {
        let (rig, sandbox) = try await Self.rig()
        try await rig.declare()
        // The same prefix with another delivery limit: made by somebody else.
        let other = uniquePrefix()
        var changed = rig
        changed.environment["CHARGELINE_PREFIX"] = other
        let endpoints = try BrokerEndpoint.parseList(rig.broker.url)
        try await onTestLoop { room in
            var plan = LinkPlan(endpoints: endpoints, name: "test", channels: [])
            plan.topology = TopologyPlan(
                queues: [.init("\(other).charges.checkout", arguments: [.init("x-queue-type", .text("classic"))])],
                settle: 0)
            let link = BrokerLink(loop: room.loop, plan: plan, random: { 0.5 })
            link.start()
            try await link.untilUp(within: 120_000_000_000)
            await link.close()
        }
        let worker = try await changed.run("worker", "--admin-listen", "127.0.0.1:0")
        #expect(worker.exit == .status(2))
        let lines = worker.errors.split(separator: "\n").filter { $0.hasPrefix("chargeline: ") }
        #expect(lines.count == 1 && lines.first?.contains("\(other).charges.checkout") == true, "\(worker.errors)")
        sandbox.signal(15)
        #expect(await sandbox.exit() == .status(0))
    }

    @Test func `a worker stays up while the broker is away, not ready`() async throws {
        var (rig, sandbox) = try await Self.rig()
        let admin = "127.0.0.1:\(freePort())"
        rig.environment["AMQP_URL"] = "amqp://127.0.0.1:\(freePort())"
        let worker = try rig.start("worker", "--admin-listen", admin)
        while true {
            let health = try await rig.run("healthcheck", "worker", "--admin-listen", admin)
            if health.exit == .status(3) { continue }
            #expect(health.exit == .status(1) && health.errors.contains("not ready"), "\(health.errors)")
            break
        }
        worker.signal(2)
        #expect(await worker.exit() == .status(0))
        sandbox.signal(9)
    }

    @Test func `HUP reads the secrets again and keeps the old ones where the new are wrong`() async throws {
        var (rig, sandbox) = try await Self.rig()
        let file = rig.folder + "/key"
        try write("sk_test_first0123\n", to: file)
        rig.environment["STRIPE_SECRET_KEY"] = nil
        rig.environment["STRIPE_SECRET_KEY_FILE"] = file
        let (worker, _) = try await Self.readyWorker(rig)
        try write("nonsense", to: file)
        worker.signal(1)
        let kept = try await worker.errors.first { $0.contains("old secrets") }
        #expect(kept.contains("STRIPE_SECRET_KEY") && !kept.contains("nonsense"))
        try write("sk_test_second0123\n", to: file)
        worker.signal(1)
        _ = try await worker.errors.first { $0.contains("read again") }
        worker.signal(15)
        #expect(await worker.exit() == .status(0))
        sandbox.signal(9)
    }
}
