public import EventLoop
internal import Glibc

/// The actor of a process' main thread: what lives on its loop is made and used inside it, and signals arrive here.
public actor MainRoom {
    /// The loop everything here runs on.
    public nonisolated let loop: Loop
    /// What the first INT or TERM does; without it that ends the process at once. The second always does.
    public var onInterrupt: ((Int32) -> Void)?
    /// What HUP does; without it, it is an interrupt.
    public var onHangUp: (() -> Void)?
    private var signals: SignalWatch?
    private var wasInterrupted = false

    private init(loop: Loop) {
        self.loop = loop
    }

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Runs `body` on a loop on the calling thread, the main one, and returns what it returns. Before the first
    /// thread is made.
    public static func run<Result: Sendable>(
        _ body: @escaping @Sendable (isolated MainRoom) async -> Result
    ) -> Result {
        SignalWatch.blockSignals()
        let loop = Loop()
        let room = MainRoom(loop: loop)
        let box = ResultBox<Result>()
        Task(executorPreference: loop) {
            box.result = await room.run(body)
            loop.stop()
        }
        loop.run()
        guard let result = box.result else { SignalWatch.exitNow(SIGABRT) }
        return result
    }

    private func run<Result: Sendable>(_ body: @Sendable (isolated MainRoom) async -> Result) async -> Result {
        signals = SignalWatch(loop: loop) { [unowned self] signal in
            assumeIsolated { $0.received(signal) }
        }
        defer {
            signals = nil
            onInterrupt = nil
            onHangUp = nil
        }
        return await body(self)
    }

    private func received(_ signal: Int32) {
        if signal == SIGHUP, let onHangUp { return onHangUp() }
        guard !wasInterrupted, let onInterrupt else { SignalWatch.exitNow(signal) }
        wasInterrupted = true
        onInterrupt(signal)
    }
}

private final class ResultBox<Result: Sendable>: Sendable {
    // Written by the loop, read when it has ended: on one thread, the one that ran it.
    nonisolated(unsafe) var result: Result?
}
