internal import Glibc
internal import Synchronization

/// A program under test, with its lines and its end to await. Killed where the test lets go of it.
public final class ChildProcess: Sendable {
    /// How a process ended.
    public enum Exit: Sendable, Equatable {
        /// By itself, with this status.
        case status(Int32)
        /// By this signal.
        case signal(Int32)
    }

    /// Its process id; valid until it has ended.
    public let pid: Int32
    /// Lines of its standard output.
    public let output: Probe<String>
    /// Lines of its standard error.
    public let errors: Probe<String>
    private let ended: Flag
    private let ending: Task<Exit, Never>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: what follows the program's name.
    ///   - environment: replaces the environment; nil inherits the test's.
    ///   - directory: where it runs; nil is the test's.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: String? = nil
    ) throws {
        let out = Pipe()
        let err = Pipe()
        defer {
            close(out.writing)
            close(err.writing)
        }
        pid = try launch(
            program, arguments, environment: environment, directory: directory, output: out.writing,
            errors: err.writing)
        let output = Probe<String>()
        let errors = Probe<String>()
        let ended = Flag()
        self.output = output
        self.errors = errors
        self.ended = ended
        onHelperThread { readLines(of: out.reading, into: output) }
        onHelperThread { readLines(of: err.reading, into: errors) }
        let pid = pid
        ending = Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Exit, Never>) in
                onHelperThread { continuation.resume(returning: awaitEnd(of: pid, ended)) }
            }
        }
    }

    deinit {
        signal(SIGKILL)
    }

    /// Sends a signal; harmless once the process has ended.
    public func signal(_ number: Int32) {
        if !ended.isRaised { kill(pid, number) }
    }

    /// Waits for its end.
    public func exit() async -> Exit {
        await ending.value
    }

    /// Runs a program to its end and returns how it ended and all that it printed.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: String? = nil
    ) async throws -> (exit: Exit, output: String, errors: String) {
        let child = try ChildProcess(program, arguments, environment: environment, directory: directory)
        async let output = child.output.rest()
        async let errors = child.errors.rest()
        let exit = await child.exit()
        return (exit, await output.joined(separator: "\n"), await errors.joined(separator: "\n"))
    }
}

/// A program could not be started.
public struct LaunchFailure: Error, CustomStringConvertible {
    /// Why.
    public let description: String
}

// GNU functions, which Swift's Glibc module leaves out.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func addChangeDirectory(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32

private final class Flag: Sendable {
    private let raised = Atomic<Bool>(false)
    var isRaised: Bool { raised.load(ordering: .acquiring) }
    func raise() { raised.store(true, ordering: .releasing) }
}

private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let failed = pipe2(&ends, Int32(O_CLOEXEC))
        precondition(failed == 0, "cannot make a pipe")
        (reading, writing) = (ends[0], ends[1])
    }
}

private func launch(
    _ program: String, _ arguments: [String], environment: [String: String]?, directory: String?, output: Int32,
    errors: Int32
) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // A lock or a socket of the test run must not live on in the child.
    _ = addCloseFrom(&actions, 3)
    if let directory { _ = addChangeDirectory(&actions, directory) }
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    let envp = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
    defer {
        for text in argv + (envp ?? []) { free(text) }
    }
    var pid: pid_t = 0
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The pool's threads block all signals; a child that inherited that could not be ended.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let failed: Int32
    if var envp {
        failed = posix_spawn(&pid, program, &actions, &attributes, &argv, &envp)
    } else {
        failed = posix_spawn(&pid, program, &actions, &attributes, &argv, environ)
    }
    guard failed == 0 else { throw LaunchFailure(description: "\(program): \(String(cString: strerror(failed)))") }
    return pid
}

private func readLines(of descriptor: Int32, into probe: Probe<String>) {
    defer {
        close(descriptor)
        probe.finish()
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    var line: [UInt8] = []
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        for byte in buffer[..<count] {
            if byte == UInt8(ascii: "\n") {
                probe.send(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
    }
    if !line.isEmpty { probe.send(String(decoding: line, as: UTF8.self)) }
}

private func awaitEnd(of pid: Int32, _ ended: Flag) -> ChildProcess.Exit {
    var info = siginfo_t()
    // Seen first and reaped after: in between, nobody may signal a number that is about to be free.
    while waitid(P_PID, id_t(pid), &info, Int32(WEXITED | WNOWAIT)) != 0, errno == EINTR {}
    ended.raise()
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
}
