public import EventLoop
internal import HTTPServer
public import Settings
public import Telemetry

/// The API: takes charges over HTTP, publishes them, and tells their results to those who wait.
///
/// It stays up while the broker is away: not ready, 503, and by itself again once the broker is back.
public actor APIRole {
    private let loop: Loop
    private let settings: ChargelineSettings
    private var server: APIServer?

    /// Runs on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes the role; nothing happens before `start`.
    public init(loop: Loop, settings: ChargelineSettings) {
        self.loop = loop
        self.settings = settings
    }

    /// Listens and starts to connect, and returns at once.
    ///
    /// - Parameters:
    ///   - makeLog: makes the log, on the loop.
    ///   - onFault: called once when only a person can mend what is wrong before the API has ever worked (password,
    ///     permission, topology), with one line that says what: the process should end with status 2.
    /// - Throws: `APIFault` when a setting is wrong or an address cannot be had.
    public func start(
        makeLog: @Sendable (Loop) -> Log, onFault: @escaping @Sendable (String) -> Void
    ) throws(APIFault) {
        let server = try APIServer(loop: loop, settings: settings, log: makeLog(loop), onFault: onFault)
        server.onAskForWorkers = { [loop] in
            // The broker's answer is waited for, which a timer cannot.
            Task(executorPreference: loop) { await self.askForWorkers() }
        }
        try server.start()
        self.server = server
    }

    /// Whether charges can be taken now; false while draining.
    public var isReady: Bool { server?.isReady ?? false }

    /// The port of the API.
    public var port: UInt16 { server?.port ?? 0 }

    /// The port of the admin listener; 0 without one.
    public var adminPort: UInt16 { server?.adminPort ?? 0 }

    /// Takes no more connections, lets what is open finish within the configured time, and closes the broker's
    /// connections. Who still waits for a result then is told that the charge is queued.
    public func drain() async {
        await server?.drain()
        server = nil
    }

    /// Takes other keys for the requests that follow.
    public func replaceKeys(_ keys: [APIKey]) {
        server?.replaceKeys(keys)
    }

    private func askForWorkers() async {
        await server?.askForWorkers()
    }
}

/// Why an API cannot start: what is wrong, in one line, with the mend.
public struct APIFault: Error, Sendable, CustomStringConvertible {
    /// The line.
    public let description: String

    /// Makes a fault.
    public init(_ description: String) {
        self.description = description
    }
}
