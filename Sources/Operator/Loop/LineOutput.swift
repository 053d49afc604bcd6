internal import CLinux
internal import EventLoop
internal import Glibc

/// Lines for a descriptor whose reader may be slow: what it does not take now waits, and the loop goes on.
final class LineOutput {
    private struct Line {
        let bytes: [UInt8]
        let written: (() -> Void)?
    }

    private let descriptor: Int32
    private let loop: Loop
    /// Files take everything at once, and epoll refuses them.
    private let isFile: Bool
    private var lines: [Line] = []
    private var head = 0
    private var offset = 0
    private var watch: Watch?
    /// Whether the reader takes nothing now.
    private var isWaiting = false
    /// Called once when nobody reads any more.
    var onGone: (() -> Void)?
    private(set) var isGone = false
    /// Why nothing can be written any more, where that is a fault.
    private(set) var failure: String?

    /// A pipe that poll(2) calls writable takes this many bytes without waiting (PIPE_BUF, pipe(7)).
    private static let piece = 4096

    init(loop: Loop, descriptor: Int32) {
        self.loop = loop
        self.descriptor = descriptor
        var status = stat()
        let mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFIFO
        isFile = mode == S_IFREG
        // With nothing to write, only a reader that has gone is of interest.
        if !isFile {
            watch = loop.watch(descriptor, for: []) { [unowned self] ready in
                if ready.contains(.failed) { end() } else { pump() }
            }
        }
    }

    deinit { watch?.cancel() }

    /// Whether everything was handed to the system.
    var isEmpty: Bool { head == lines.count }

    /// Adds a line; `written` is called once the system has all of it.
    func write(_ line: [UInt8], written: (() -> Void)? = nil) {
        guard !isGone else { return }
        lines.append(Line(bytes: line + [UInt8(ascii: "\n")], written: written))
        if !isWaiting { pump() }
    }

    private func pump() {
        while head < lines.count {
            guard isFile || takesBytes() else {
                isWaiting = true
                watch?.update(.writing)
                return
            }
            guard writeSome() else { return end() }
        }
        isWaiting = false
        watch?.update([])
        lines.removeAll(keepingCapacity: true)
        head = 0
    }

    private func takesBytes() -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&question, 1, 0) == 1
    }

    private func writeSome() -> Bool {
        let line = lines[head]
        let rest = line.bytes[offset...].prefix(Self.piece)
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR || errno == EAGAIN { return true }
            // A reader that has seen enough is no fault; a full disk is.
            if errno != EPIPE { failure = String(cString: strerror(errno)) }
            return false
        }
        offset += count
        if offset == line.bytes.count {
            head += 1
            offset = 0
            line.written?()
        }
        return true
    }

    private func end() {
        guard !isGone else { return }
        isGone = true
        watch?.cancel()
        watch = nil
        lines.removeAll()
        head = 0
        onGone?()
    }
}
