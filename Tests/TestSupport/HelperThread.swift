internal import CLinux

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a thread of its own, for calls that block; nobody waits for it.
public func onHelperThread(_ body: @escaping @Sendable () -> Void) {
    let boxed = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let failed = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, boxed.toOpaque())
    precondition(failed == 0, "cannot make a thread")
    pthread_detach(thread)
}
