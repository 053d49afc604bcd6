public import EventLoop
internal import HTTPServer
public import Settings

/// The role `sandbox`: a local Stripe on a loop, for demos and tests, in this process or in one of its own.
public actor SandboxRole {
    /// Why it could not start, for people.
    public struct StartFailure: Error, Sendable, CustomStringConvertible {
        /// One sentence: what was tried, what happened.
        public let description: String
    }

    private nonisolated let loop: Loop
    private let sandbox: Sandbox
    private let server: SandboxServer
    private let address: HostPort
    /// Where it listens; 0 before `start`.
    public private(set) var port: UInt16 = 0

    /// The loop that it lives on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// A sandbox that does not listen yet.
    ///
    /// - Parameters:
    ///   - loop: start tasks that call this actor with it as their preferred executor.
    ///   - listen: where; port 0 lets the system choose.
    public init(
        loop: Loop, settings: SandboxSettings = SandboxSettings(),
        listen: HostPort = HostPort(host: "127.0.0.1", port: 12_110)
    ) {
        self.loop = loop
        let sandbox = Sandbox(settings: settings)
        self.sandbox = sandbox
        server = SandboxServer(loop: loop, sandbox: sandbox)
        address = listen
    }

    /// Listens from now on.
    ///
    /// - Returns: the port.
    /// - Throws: when the address cannot be had.
    @discardableResult
    public func start() throws(StartFailure) -> UInt16 {
        do throws(HTTPListenError) {
            port = try server.start(HTTPAddress(host: address.host, port: address.port))
        } catch {
            throw StartFailure(description: "CHARGELINE_LISTEN: \(error)")
        }
        return port
    }

    /// Takes no more connections, gives the answers that are due, and frees the port.
    ///
    /// - Parameter limit: how long open answers may take.
    public func drain(within limit: TimeSpan = .seconds(1)) async {
        await server.drain(nanoseconds: limit.milliseconds * 1_000_000)
    }

    /// Takes one request without the network, as a test or a demo in this process may.
    public func handle(_ request: SandboxRequest) -> SandboxReply {
        sandbox.handle(request, at: SandboxInstant(monotonic: LoopClock.monotonic(), wall: LoopClock.wall()))
    }
}
