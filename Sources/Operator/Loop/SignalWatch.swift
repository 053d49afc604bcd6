internal import CLinux
public import EventLoop
internal import Glibc

/// Signals as events of a loop: they interrupt nothing, and their handler may do anything.
public final class SignalWatch {
    private let descriptor: Int32
    private var watch: Watch?

    /// Takes TERM, INT and HUP away from the threads of this process, and ignores PIPE. Before the first thread is
    /// made: a thread has the mask of the one that made it.
    public static func blockSignals() {
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Watches for them; `blockSignals` was called before. Call on the loop.
    ///
    /// - Parameter onSignal: called on the loop with the signal's number.
    public init(loop: Loop, onSignal: @escaping (Int32) -> Void) {
        var set = Self.signalSet()
        descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard descriptor >= 0 else { return }
        let descriptor = descriptor
        watch = loop.watch(descriptor, for: .reading) { _ in
            var info = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(descriptor, &info, size) == size { onSignal(Int32(info.ssi_signo)) }
        }
    }

    deinit {
        watch?.cancel()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Ends the process at once, as a shell expects of one that a signal ended.
    public static func exitNow(_ signal: Int32) -> Never {
        _exit(128 + signal)
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }
}
