public import EventLoop

/// An actor on a test's loop: what lives on a loop is made and used inside it.
public actor LoopRoom {
    /// The loop everything here runs on.
    public nonisolated let loop: Loop

    init(loop: Loop) {
        self.loop = loop
    }

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    fileprivate func run<Result: Sendable>(
        _ body: @Sendable (isolated LoopRoom) async throws -> Result
    ) async throws -> Result {
        try await body(self)
    }
}

/// A loop on a thread of its own, for one test.
public struct TestLoop: Sendable {
    /// The loop.
    public let loop = Loop()
    private let thread: LoopThread
    private let room: LoopRoom

    /// Starts the loop's thread.
    public init() {
        thread = loop.startThread(named: "test-loop")
        room = LoopRoom(loop: loop)
    }

    /// Runs `body` on the loop and returns what it returns. Its continuations stay on the loop.
    @discardableResult
    public func run<Result: Sendable>(
        _ body: @escaping @Sendable (isolated LoopRoom) async throws -> Result
    ) async throws -> Result {
        let room = room
        return try await Task(executorPreference: loop) { try await room.run(body) }.value
    }

    /// Stops the loop and joins its thread; never from the loop itself.
    public func stop() {
        thread.stopAndJoin()
    }
}

/// Runs `body` on a loop that lives for it only.
@discardableResult
public func onTestLoop<Result: Sendable>(
    _ body: @escaping @Sendable (isolated LoopRoom) async throws -> Result
) async throws -> Result {
    let test = TestLoop()
    defer { test.stop() }
    return try await test.run(body)
}
