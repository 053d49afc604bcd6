import ChargeAPI
import EventLoop
import Settings
import Telemetry
import TestSupport
import Testing

/// An API on a loop of its own, against a real broker.
struct RunningAPI: Sendable {
    let loop: Loop
    let role: APIRole
    let port: UInt16
    let adminPort: UInt16
    /// What `onFault` was told.
    let faults: Probe<String>

    /// Starts one, waits until it is ready unless told not to, runs `body` off its loop, and stops it.
    @concurrent
    static func with(
        _ broker: String, prefix: String, _ more: [String: String] = [:], untilReady: Bool = true,
        _ body: @concurrent (RunningAPI) async throws -> Void
    ) async throws {
        var environment = [
            "AMQP_URL": broker, "CHARGELINE_PREFIX": prefix, "CHARGELINE_SETTLE": "0s",
            "CHARGELINE_LISTEN": "127.0.0.1:0", "CHARGELINE_ADMIN_LISTEN": "127.0.0.1:0", "CHARGELINE_DRAIN": "2s",
            "CHARGELINE_RETRY_DELAYS": "1s",
        ]
        environment.merge(more) { $1 }
        let settings = try ChargelineSettings.load(role: .api, environment: environment).settings
        let loop = Loop()
        let thread = loop.startThread(named: "api-test")
        defer { thread.stopAndJoin() }
        let role = APIRole(loop: loop, settings: settings)
        let faults = Probe<String>()
        try await role.start(
            makeLog: { _ in
                Log(level: .debug, format: .json, sink: LogCapture(), now: { LoopClock.wall() })
            }, onFault: { faults.send($0) })
        let api = RunningAPI(
            loop: loop, role: role, port: await role.port, adminPort: await role.adminPort, faults: faults)
        do {
            if untilReady { try await api.untilReady() }
            try await body(api)
        } catch {
            await role.drain()
            throw error
        }
        await role.drain()
    }

    /// Begins to drain on the loop: the threads that all tests share may all be blocked by tests that read.
    func startDrain() -> Task<Void, Never> {
        Task(executorPreference: loop) { await role.drain() }
    }

    func client() throws -> RawHTTPClient { try RawHTTPClient(port: port) }

    /// Waits until `/readyz` says ready.
    @concurrent
    func untilReady(_ isReady: Bool = true) async throws {
        try await eventually { try readiness().status == (isReady ? 200 : 503) }
    }

    /// Waits until the API has seen that somebody consumes its lane: it asks once a second.
    @concurrent
    func untilWorkersAreSeen() async throws {
        try await eventually { try metric("chargeline_api_workers") ?? 0 > 0 }
    }

    /// What `/readyz?verbose` says.
    func readiness() throws -> RawHTTPClient.Answer {
        let client = try RawHTTPClient(port: adminPort)
        client.get("/readyz?verbose")
        return try client.answer()
    }

    /// A sample of `/metrics`; nil where it is not there.
    func metric(_ name: String) throws -> Double? {
        let client = try RawHTTPClient(port: adminPort)
        client.get("/metrics")
        let line = try client.answer().text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}

/// Asks again and again until the answer is yes; the suite's time limit ends it.
@concurrent
func eventually(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() { try await Task.sleep(for: .milliseconds(20)) }
}
