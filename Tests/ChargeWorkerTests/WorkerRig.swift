import ChargeWire
import ChargeWorker
import Charging
import EventLoop
import JSONText
import Messaging
import Settings
import StripeSandbox
import Telemetry
import TestSupport
import Testing

/// A worker, the sandbox and a client of the broker, each on a loop of its own, on one prefix that no other test uses.
struct WorkerRig: Sendable {
    let prefix = uniquePrefix()
    let broker: PrivateBroker
    let sandboxLoop = TestLoop()
    let workerLoop = TestLoop()
    let clientLoop = TestLoop()
    let sandbox: SandboxRole
    let client: BrokerClient
    let settings: ChargelineSettings
    let log = Probe<String>()

    /// Starts the sandbox and the client; workers are started one by one.
    static func start(
        sandbox sandboxSettings: SandboxSettings = SandboxSettings(), _ changes: [String: String] = [:],
        clientWaits: Bool = true
    ) async throws -> WorkerRig {
        let rig = try await WorkerRig(broker: .shared(), sandboxSettings, changes)
        guard clientWaits else { return rig }
        let client = rig.client
        try await Task(executorPreference: rig.clientLoop.loop) { try await client.start() }.value
        return rig
    }

    private init(broker: PrivateBroker, _ sandboxSettings: SandboxSettings, _ changes: [String: String]) async throws {
        self.broker = broker
        sandbox = SandboxRole(
            loop: sandboxLoop.loop, settings: sandboxSettings, listen: HostPort(host: "127.0.0.1", port: 0))
        let sandbox = sandbox
        let port = try await Task(executorPreference: sandboxLoop.loop) { try await sandbox.start() }.value
        let base = [
            "AMQP_URL": broker.url, "STRIPE_API_BASE": "http://127.0.0.1:\(port)", "STRIPE_SECRET_KEY": "sk_test_rig",
            "CHARGELINE_PREFIX": prefix, "CHARGELINE_STRIPE_RATE": "0", "CHARGELINE_SETTLE": "0s",
            "CHARGELINE_ADMIN_LISTEN": "127.0.0.1:0", "CHARGELINE_RETRY_DELAYS": "200ms,1s,30s,2m",
            "CHARGELINE_DRAIN": "4s",
        ]
        settings = try ChargelineSettings.load(role: .worker, environment: base.merging(changes) { $1 }).settings
        client = BrokerClient(loop: clientLoop.loop, settings: settings)
    }

    /// Starts one worker and returns it at once.
    func startWorker(on test: TestLoop? = nil) async throws -> WorkerRole {
        let loop = (test ?? workerLoop).loop
        let role = WorkerRole(loop: loop, settings: settings)
        let log = log
        try await Task(executorPreference: loop) {
            try await role.start(
                makeLog: { _ in
                    Log(level: .info, format: .json, sink: ProbeSink(log), now: { LoopClock.wall() })
                }, onFault: { log.send("FAULT \($0)") })
        }.value
        return role
    }

    func drain(_ worker: WorkerRole, on test: TestLoop? = nil) async {
        await Task(executorPreference: (test ?? workerLoop).loop) { await worker.drain() }.value
    }

    /// The sandbox's ledger: how often each id was charged.
    func ledger() async throws -> [String: Int] {
        let reply = await sandbox.handle(SandboxRequest("GET", "/_sandbox/ledger"))
        var counts: [String: Int] = [:]
        for line in String(decoding: reply.body, as: UTF8.self).split(separator: "\n") {
            let entry = try LedgerEntry(Array(line.utf8))
            if entry.moved, let id = entry.chargelineID { counts[id, default: 0] += 1 }
        }
        return counts
    }

    func control(_ method: String, _ path: String, _ body: String) async throws {
        var request = SandboxRequest(method, path)
        request.body = Array(body.utf8)
        request.contentType = "application/json"
        let reply = await sandbox.handle(request)
        try #require(reply.status < 300, "\(String(decoding: reply.body, as: UTF8.self))")
    }

    /// Ends all; the worker must be drained.
    func stop() async {
        let (client, sandbox) = (client, sandbox)
        await Task(executorPreference: clientLoop.loop) { await client.stop() }.value
        await Task(executorPreference: sandboxLoop.loop) { await sandbox.drain() }.value
        clientLoop.stop()
        workerLoop.stop()
        sandboxLoop.stop()
    }
}

/// One line of the ledger, as far as the tests look.
private struct LedgerEntry {
    var moved = false
    var chargelineID: String?

    init(_ line: [UInt8]) throws {
        var json = JSONReader(line)
        try json.beginObject()
        while let name = try json.nextName() {
            if name.matches("status") {
                let status = try json.string()
                moved = status == "succeeded" || status == "requires_capture" || status == "authorized"
            } else if name.matches("metadata") {
                try json.beginObject()
                while let key = try json.nextName() {
                    if key.matches("chargeline_id") { chargelineID = try json.string() } else { try json.skip() }
                }
            } else {
                try json.skip()
            }
        }
    }
}

/// Passes each line on.
private final class ProbeSink: LogSink {
    private let probe: Probe<String>
    init(_ probe: Probe<String>) { self.probe = probe }
    func take(_ line: [UInt8], level: LogLevel) { probe.send(String(decoding: line, as: UTF8.self)) }
    func flush() {}
    func drain() {}
    func takeLost() -> Int { 0 }
}
