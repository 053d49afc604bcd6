internal import CLinux
internal import EventLoop
internal import Synchronization

/// One value from a helper thread to a loop: the thread delivers once, the loop sees the descriptor turn readable.
///
/// The loop may stop waiting: then the value goes with the last reference to the handover, on whichever thread holds
/// it.
final class Handover<Value: Sendable>: Sendable {
    let descriptor: Int32
    private let isDelivered = Atomic<Bool>(false)
    private let abandoned = Atomic<Bool>(false)
    // Written by the helper before `isDelivered` is released, read by the loop after it was acquired.
    nonisolated(unsafe) private var value: Value?

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the loop has stopped waiting; long work may then end early.
    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    func abandon() {
        abandoned.store(true, ordering: .relaxed)
    }

    /// From the helper, once.
    func deliver(_ value: Value) {
        self.value = value
        isDelivered.store(true, ordering: .releasing)
        _ = eventfd_write(descriptor, 1)
    }

    /// On the loop: the value, where it has come.
    func take() -> Value? {
        isDelivered.load(ordering: .acquiring) ? value : nil
    }
}

/// A call that may block, on a thread of its own. Owned by the loop; the thread ends by itself, whatever the loop
/// does.
final class HelperCall<Value: Sendable> {
    private let handover: Handover<Value>
    private var watch: Watch?

    /// Starts `work`; `done` gets its value on the loop unless `abandon` comes first. Nil where no thread or
    /// descriptor can be had.
    init?(on loop: Loop, work: @escaping @Sendable (Handover<Value>) -> Value, done: @escaping (Value) -> Void) {
        let handover = Handover<Value>()
        self.handover = handover
        guard handover.descriptor >= 0 else { return nil }
        guard startHelperThread({ handover.deliver(work(handover)) }) else { return nil }
        watch = loop.watch(handover.descriptor, for: .reading) { [unowned self] _ in
            guard let value = handover.take() else { return }
            stopWatching()
            done(value)
        }
    }

    /// Stops waiting; `done` is not called, and what the thread still delivers is dropped.
    func abandon() {
        handover.abandon()
        stopWatching()
    }

    private func stopWatching() {
        watch?.cancel()
        watch = nil
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startHelperThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let boxed = Unmanaged.passRetained(ThreadBody(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let failed = pthread_create(
        &thread, &attributes,
        { argument in
            cl_name_thread("amqp-connect")
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, boxed.toOpaque())
    if failed != 0 { boxed.release() }
    return failed == 0
}
