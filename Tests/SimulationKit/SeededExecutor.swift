/// Runs Swift tasks on the calling thread, in an order that a seed decides: whatever is ready is equally likely to be next.
///
/// Every task of a simulation prefers it and every actor of one would live on it, so nothing ever runs on the global pool.
public final class SeededExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Unchecked: a run is one thread, and its tasks are resumed by that thread alone.
    private var ready: [UnownedJob] = []
    private var random: SplitMix64

    /// An executor without work.
    public init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Takes a job; it runs in the next `drain`.
    public func enqueue(_ job: consuming ExecutorJob) {
        ready.append(UnownedJob(job))
    }

    /// Runs jobs until none is ready.
    public func drain() {
        while !ready.isEmpty {
            if ready.count > 1 {
                ready.swapAt(random.below(ready.count), ready.count - 1)
            }
            ready.removeLast().runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// For an actor's `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// A run is one thread: whoever asks is on it.
    public func checkIsolated() {}

    /// A run is one thread: whoever asks is on it.
    public func isIsolatingCurrentContext() -> Bool? { true }
}
