/// Runs Swift tasks on the calling thread, in an order that a seed decides: whatever is ready is equally likely to be
/// next.
///
/// Every task of a simulation prefers it, so nothing ever runs on the global pool. It is no actor's executor on
/// purpose: a job that was run as an actor's would leave that actor again at each continuation, and so suspend where
/// the code under test does not.
public final class SeededExecutor: TaskExecutor, @unchecked Sendable {
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
        let executor = asUnownedTaskExecutor()
        while !ready.isEmpty {
            if ready.count > 1 {
                ready.swapAt(random.below(ready.count), ready.count - 1)
            }
            ready.removeLast().runSynchronously(on: executor)
        }
    }
}
