internal import Charging
public import EventLoop
public import Settings
public import Telemetry

/// The worker: consumes the lanes, carries each charge through its visit, and drains when asked.
///
/// The actor is the isolation that visits run in; what they share is in `Worker`, a plain class that only this actor
/// reaches.
public actor WorkerRole {
    private let loop: Loop
    private let settings: ChargelineSettings
    private var worker: Worker?

    /// Runs on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes the role; nothing happens before `start`.
    public init(loop: Loop, settings: ChargelineSettings) {
        self.loop = loop
        self.settings = settings
    }

    /// Starts to connect and to consume, and returns at once: a broker that is away is waited for.
    ///
    /// - Parameters:
    ///   - makeLog: makes the log, on the loop.
    ///   - onFault: called once when only a person can mend what is wrong, with one line that says what: the process
    ///     should end with status 2.
    /// - Throws: `WorkerFault` when a setting is wrong or the admin address cannot be had.
    public func start(
        makeLog: @Sendable (Loop) -> Log, onFault: @escaping @Sendable (String) -> Void
    ) throws(WorkerFault) {
        let worker = try Worker(loop: loop, settings: settings, log: makeLog(loop)) { [loop] started in
            // The closure is handed to a plain class; the task re-enters the actor with Sendable values only.
            Task(executorPreference: loop) { await self.visit(started) }
        }
        worker.probeAgain = { [loop] milliseconds in
            Task(executorPreference: loop) { await self.probe(after: milliseconds) }
        }
        worker.onFault = onFault
        self.worker = worker
        try worker.start()
    }

    /// Whether everything is there to work with; false while draining.
    public var isReady: Bool { worker?.isReady ?? false }

    /// The port of the admin listener; 0 without one.
    public var adminPort: UInt16 { worker?.adminPort ?? 0 }

    /// Stops consuming, finishes or gives back what is held, within the configured time, and closes the connections.
    public func drain() async {
        await worker?.drain()
    }

    /// Takes another key for the requests that follow.
    public func replaceKey(_ key: Secret) {
        worker?.replaceKey(key)
    }

    private func visit(_ started: StartedCharge) async {
        await worker?.visit(started)
    }

    private func probe(after milliseconds: Int64) async {
        await worker?.probe(after: milliseconds)
    }
}

/// Why a worker cannot start: what is wrong, in one line, with the mend.
public struct WorkerFault: Error, Sendable, CustomStringConvertible {
    /// The line.
    public let description: String

    /// Makes a fault.
    public init(_ description: String) {
        self.description = description
    }
}

/// A delivery that got a slot, or that is only to be given back.
struct StartedCharge: Sendable {
    let delivery: ChargeDelivery
    let isAgain: Bool
    let isSuspect: Bool
    /// False: it takes no slot, since no call will be made.
    let takesSlot: Bool
}
