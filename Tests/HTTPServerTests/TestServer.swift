import EventLoop
import HTTPServer

/// What a test's handler keeps; touched on the loop only.
final class Kept {
    var exchanges: [HTTPExchange] = []
    /// Called before the next call of the handler.
    var onNext: ((HTTPExchange) -> Void)?
    let tell: @Sendable (String) -> Void

    init(tell: @escaping @Sendable (String) -> Void) {
        self.tell = tell
    }
}

/// A listener on a loop of its own.
actor TestServer {
    private let loop: Loop
    private let thread: LoopThread
    private var listener: HTTPListener?
    private let kept: Kept
    /// What the handler told, in order.
    nonisolated let events: AsyncStream<String>

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() {
        loop = Loop()
        thread = loop.startThread(named: "http-test")
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        events = stream
        kept = Kept { continuation.yield($0) }
    }

    /// Runs `body` against a server and stops it. The body is `@concurrent`: its sockets block, and must not do so on
    /// the loop.
    @concurrent
    static func with(
        limits: HTTPLimits = .standard, head: (@Sendable (HTTPExchange) -> HTTPHead)? = nil,
        handler: @escaping @Sendable (HTTPExchange, Kept) -> Void,
        _ body: @concurrent (TestServer, UInt16) async throws -> Void
    ) async throws {
        let server = TestServer()
        do {
            let port = try await server.start(limits, head, handler)
            try await body(server, port)
        } catch {
            await server.end()
            throw error
        }
        await server.end()
    }

    private func start(
        _ limits: HTTPLimits, _ head: (@Sendable (HTTPExchange) -> HTTPHead)?,
        _ handler: @escaping @Sendable (HTTPExchange, Kept) -> Void
    ) throws -> UInt16 {
        let kept = kept
        let listener = try HTTPListener(
            loop: loop, address: HTTPAddress(host: "127.0.0.1", port: 0), limits: limits, head: head.map { $0 }
        ) { exchange in
            let next = kept.onNext
            kept.onNext = nil
            next?(exchange)
            handler(exchange, kept)
        }
        self.listener = listener
        return listener.port
    }

    /// Runs something on the loop.
    @discardableResult
    func on<Value: Sendable>(_ body: @Sendable (HTTPListener?, Kept) throws -> Value) rethrows -> Value {
        try body(listener, kept)
    }

    /// Makes a second listener at an address, for the sake of its error.
    func listen(at address: HTTPAddress) throws {
        try HTTPListener(loop: loop, address: address) { _ in }.stop()
    }

    /// Begins to drain on the loop: the threads that all tests share may all be blocked by tests that read.
    nonisolated func startDrain(nanoseconds: Int64) -> Task<Void, Never> {
        Task(executorPreference: loop) { await self.drain(nanoseconds: nanoseconds) }
    }

    func drain(nanoseconds: Int64) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            guard let listener else { return continuation.resume() }
            listener.drain(nanoseconds: nanoseconds) { continuation.resume() }
        }
    }

    private nonisolated func end() async {
        await on { listener, _ in listener?.stop() }
        thread.stopAndJoin()
    }
}
