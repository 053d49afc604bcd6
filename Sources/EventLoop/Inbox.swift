internal import CLinux
internal import Synchronization

/// The one door into a loop from other threads, and the only lock of the project.
///
/// A pthread mutex, not `Synchronization.Mutex`: the thread sanitizer cannot see the latter's futex and reports false
/// races.
final class Inbox: Sendable {
    let descriptor: Int32
    // Memory of the lock itself; it never moves and is freed with the inbox.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// The loop's thread, 0 before it runs; asked at every enqueue, hence no lock.
    private let thread = Atomic<UInt>(0)
    // Everything below is read and written under `mutex`.
    nonisolated(unsafe) private var jobs: [UnownedJob] = []
    nonisolated(unsafe) private var mustWake = false
    nonisolated(unsafe) private var stopping = false
    nonisolated(unsafe) private var foreign = 0

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "cannot make an eventfd: out of descriptors?")
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        close(descriptor)
    }

    var isOnLoopThread: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    var isStopping: Bool { locked { stopping } }
    var hasJobs: Bool { locked { !jobs.isEmpty } }
    var foreignEnqueues: Int { locked { foreign } }

    func adoptThread() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    func add(_ job: UnownedJob) {
        lockedThenWake {
            jobs.append(job)
            foreign += 1
        }
    }

    func stop() {
        lockedThenWake { stopping = true }
    }

    /// Says that the loop is about to wait; false when something came in meanwhile and it must not.
    func prepareToWait() -> Bool {
        locked {
            guard jobs.isEmpty, !stopping else { return false }
            mustWake = true
            return true
        }
    }

    /// Moves the jobs of other threads into `ready`.
    func awake(into ready: inout JobQueue) {
        locked {
            mustWake = false
            for job in jobs { ready.append(job) }
            jobs.removeAll(keepingCapacity: true)
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func lockedThenWake(_ body: () -> Void) {
        pthread_mutex_lock(mutex)
        body()
        let wake = mustWake
        mustWake = false
        pthread_mutex_unlock(mutex)
        if wake { _ = eventfd_write(descriptor, 1) }
    }
}
