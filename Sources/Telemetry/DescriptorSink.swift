internal import CLinux
internal import Glibc

/// Writes lines to a descriptor, standard error as a rule, and never waits for it: a reader that has stopped must not
/// stop the loop. What cannot be written is kept, and what cannot be kept is counted.
public final class DescriptorSink: LogSink {
    private enum Kind {
        /// Takes everything at once.
        case file
        /// Has a call that does not wait (journald's stream is one).
        case socket
        /// Takes 4096 bytes (PIPE_BUF) without waiting when poll(2) says so, and keeps them together: pipe(7).
        case pipe
    }

    /// Bytes gathered before they are written unasked.
    static let gatherMax = 32 * 1024
    /// Bytes kept for a reader that has stopped.
    static let keepMax = 1024 * 1024

    private let descriptor: Int32
    private let gathers: Bool
    private let kind: Kind
    private var pending: [UInt8] = []
    private var written = 0
    private var lost = 0

    /// A sink on an open descriptor, which it does not close.
    ///
    /// - Parameter gathers: whether lines may wait for `flush()`, `error` excepted; else each is written at once.
    public init(descriptor: Int32 = 2, gathers: Bool) {
        self.descriptor = descriptor
        self.gathers = gathers
        var status = stat()
        let mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFIFO
        kind = mode == S_IFREG ? .file : mode == S_IFSOCK ? .socket : .pipe
    }

    /// Whether a person looks at this descriptor.
    public static func isTerminal(_ descriptor: Int32 = 2) -> Bool { isatty(descriptor) == 1 }

    /// Gathers the line, or writes it.
    public func take(_ line: [UInt8], level: LogLevel) {
        guard pending.count - written + line.count < Self.keepMax else {
            lost += 1
            return
        }
        pending.append(contentsOf: line)
        pending.append(UInt8(ascii: "\n"))
        if !gathers || level >= .error || pending.count - written >= Self.gatherMax { flush() }
    }

    /// Writes what is gathered, as far as that needs no waiting.
    public func flush() {
        while written < pending.count, writeSome(waiting: 0) {}
        forgetWritten()
    }

    /// Writes what is gathered and waits for the reader, a second at most.
    public func drain() {
        let end = cl_nanoseconds(CLOCK_MONOTONIC) + 1_000_000_000
        while written < pending.count {
            let left = (end - cl_nanoseconds(CLOCK_MONOTONIC)) / 1_000_000
            guard left > 0 else { break }
            _ = writeSome(waiting: Int32(left))
        }
        forgetWritten()
    }

    /// How many lines had to be dropped since this was last asked; 0 until there is room to say so.
    public func takeLost() -> Int {
        guard pending.count - written < Self.keepMax / 2 else { return 0 }
        defer { lost = 0 }
        return lost
    }

    /// Writes once; false if the reader takes nothing now.
    private func writeSome(waiting milliseconds: Int32) -> Bool {
        if kind != .file {
            var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&question, 1, milliseconds) == 1 else { return false }
        }
        let length = kind == .pipe ? wholeLines(4096) : pending.count - written
        let count = pending.withUnsafeBytes { bytes in
            let start = bytes.baseAddress.map { $0 + written }
            return kind == .socket
                ? send(descriptor, start, length, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                : write(descriptor, start, length)
        }
        if count > 0 {
            written += count
            return true
        }
        if count < 0, errno == EINTR { return true }
        // Nobody will ever read it (EPIPE, EBADF, a full disk): kept lines would only be in the way.
        if count < 0, errno != EAGAIN { written = pending.count }
        return false
    }

    /// How many of the pending bytes to write at once: as many whole lines as fit, or a piece of one that is longer.
    private func wholeLines(_ most: Int) -> Int {
        let rest = pending.count - written
        guard rest > most else { return rest }
        let newline = pending[written..<written + most].lastIndex(of: UInt8(ascii: "\n"))
        return newline.map { $0 + 1 - written } ?? most
    }

    private func forgetWritten() {
        if written == pending.count {
            pending.removeAll(keepingCapacity: true)
        } else if written > 0 {
            pending.removeSubrange(..<written)
        }
        written = 0
    }
}
