internal import CLinux

/// One thread that waits in one epoll over descriptors, timers and Swift jobs, and is the executor of all tasks and
/// actors on it.
///
/// A role's actor returns `unownedExecutor` of its loop and owns plain non-Sendable classes that watch descriptors and
/// arm timers here; their closures run on this thread, one at a time, never inside a job. Start every root task with
/// `Task(executorPreference: loop)`: with a serial executor alone Swift 6.3 resumes each continuation on its global
/// pool first.
public final class Loop: SerialExecutor, TaskExecutor {
    private let inbox = Inbox()
    // The loop's own state: touched by its thread only, which every entry point checks (`requireOnLoop`).
    nonisolated(unsafe) private let state: LoopState

    /// Makes a loop; nothing runs before `run` or `startThread`.
    ///
    /// - Parameter wallClock: milliseconds since 1970; only `onWallClockJump` goes by it.
    public init(wallClock: @escaping @Sendable () -> Int64 = LoopClock.wall) {
        state = LoopState(wallClock: wallClock)
    }

    /// Runs the loop on the calling thread until `stop`; jobs that are ready by then still run.
    public func run() {
        inbox.adoptThread()
        state.open(wakeDescriptor: inbox.descriptor)
        while !inbox.isStopping || state.hasReadyJobs || inbox.hasJobs {
            turn()
        }
        state.close()
    }

    /// Starts the loop on a thread of its own, named `name`; end it with `stopAndJoin`.
    public func startThread(named name: String) -> LoopThread {
        LoopThread(loop: self, name: name)
    }

    /// Asks the loop to end after the jobs that are ready now. May be called from any thread.
    public func stop() {
        inbox.stop()
    }

    /// Jobs handed over by other threads since the start. While charges run this must stand still: a hop costs more
    /// than a charge's bookkeeping.
    public var foreignEnqueues: Int { inbox.foreignEnqueues }

    // MARK: Executor

    /// Queues a job: without a lock from the loop's own thread, by the inbox from any other.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if inbox.isOnLoopThread { state.ready.append(job) } else { inbox.add(job) }
    }

    /// The loop as the executor of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// The loop as a task's preferred executor.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Traps off the loop's thread; makes `assumeIsolated` valid in callbacks on it.
    public func checkIsolated() { requireOnLoop() }

    /// Whether the caller is on the loop's thread; the runtime asks this before `checkIsolated`.
    public func isIsolatingCurrentContext() -> Bool? { inbox.isOnLoopThread }

    /// Traps with a sentence when called from another thread: the loop's classes have no locks.
    func requireOnLoop() {
        precondition(inbox.isOnLoopThread, "called off the event loop's thread")
    }

    // MARK: One turn

    /// Jobs, then what must happen before waiting, then one wait, then descriptors and timers.
    private func turn() {
        runJobs()
        state.runBeforeWait()
        let mayWait = !state.hasReadyJobs && inbox.prepareToWait()
        state.wait(mayWait: mayWait)
        inbox.awake(into: &state.ready)
        state.noticeWallClockJump()
        state.dispatchEvents()
        state.fireTimers()
    }

    private func runJobs() {
        let serial = asUnownedSerialExecutor()
        let preferred = asUnownedTaskExecutor()
        // A batch, not until empty: jobs that make jobs must not starve descriptors.
        var left = state.ready.count
        while left > 0, let job = state.ready.popFirst() {
            job.runSynchronously(isolatedTo: serial, taskExecutor: preferred)
            left -= 1
        }
    }
}

extension Loop {
    /// Watches a descriptor, level-triggered, until `cancel`. `onReady` runs on the loop's thread. Call on the loop.
    ///
    /// - Parameters:
    ///   - descriptor: an open, non-blocking descriptor; the caller keeps it open until after `cancel`.
    ///   - interest: what to wait for; an empty set still reports errors and hang-ups.
    ///   - onReady: called with what is ready, at most once a turn.
    public func watch(_ descriptor: Int32, for interest: Interest, onReady: @escaping (Interest) -> Void) -> Watch {
        requireOnLoop()
        return state.watch(descriptor, for: interest, onReady: onReady)
    }

    /// Makes a timer that calls `action` on the loop's thread each time it comes due; arm it with `arm`. Call on the
    /// loop.
    public func makeTimer(_ action: @escaping () -> Void) -> LoopTimer {
        requireOnLoop()
        return LoopTimer(heap: state.timers, action: action)
    }

    /// Adds an action run at every turn, after the jobs and before the wait: the place to gather what many jobs asked
    /// for.
    public func beforeEachWait(_ action: @escaping () -> Void) -> TurnAction {
        requireOnLoop()
        return state.addBeforeWait(action)
    }

    /// Adds an action called before any descriptor is handled, when the wall clock moved over 30 s between two turns:
    /// the process was frozen, or somebody set the clock. The argument is the movement in milliseconds.
    public func onWallClockJump(_ action: @escaping (Int64) -> Void) -> TurnAction {
        requireOnLoop()
        return state.addJumpAction(action)
    }

    /// Suspends the task for at least this long, by the monotonic clock. Call on the loop.
    public func sleep(nanoseconds: Int64) async {
        requireOnLoop()
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            state.timers.once(at: LoopClock.monotonic() + max(0, nanoseconds)) { continuation.resume() }
        }
    }
}

/// A loop on a thread of its own.
public struct LoopThread: Sendable {
    private let loop: Loop
    private let thread: pthread_t

    fileprivate init(loop: Loop, name: String) {
        self.loop = loop
        let boxed = Unmanaged.passRetained(LoopStart(loop: loop, name: name))
        var thread = pthread_t()
        let failed = pthread_create(&thread, nil, { runLoopThread($0) }, boxed.toOpaque())
        precondition(failed == 0, "cannot make a thread: \(String(cString: strerror(failed)))")
        self.thread = thread
    }

    /// Stops the loop and waits for its thread to end. Never call it from the loop itself.
    public func stopAndJoin() {
        loop.stop()
        pthread_join(thread, nil)
    }
}

private final class LoopStart: Sendable {
    let loop: Loop
    let name: String
    init(loop: Loop, name: String) {
        self.loop = loop
        self.name = name
    }
}

private func runLoopThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<LoopStart>.fromOpaque(argument).takeRetainedValue()
    cl_name_thread(start.name)
    start.loop.run()
    return nil
}
