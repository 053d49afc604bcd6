internal import CLinux

/// A value behind a pthread mutex, for helpers that have threads of their own.
final class Locked<Value>: Sendable {
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private var value: Value

    /// Guards a value.
    init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Reads or changes the value, alone.
    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

private final class JoinedBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Starts a thread with a small stack; join it.
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 256 << 10)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let boxed = Unmanaged.passRetained(JoinedBody(body)).toOpaque()
    let failed = pthread_create(&thread, &attributes, { runThreadBody($0) }, boxed)
    precondition(failed == 0, "cannot make a thread")
    return thread
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<JoinedBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
