internal import CLinux
internal import CRabbitMQ
internal import EventLoop

/// A logged-in connection on a loop: frames in, frames out, heartbeats. Nothing here waits.
final class Wire {
    let out = FrameBuffer()
    let frameMax: Int
    private let loop: Loop
    private let handle: ConnectionHandle
    private let heartbeat: Int64
    private let onFrame: (amqp_frame_t) -> Void
    private let onBroken: (LinkProblem) -> Void
    private var watch: Watch?
    private var ticker: LoopTimer?
    private var lastHeard: Int64
    private var writtenAtTick: UInt64 = 0
    private var isBroken = false
    private var isReading = false
    /// The socket took less than there was: nothing to try before it says that it has room.
    private var isFull = false

    init(
        loop: Loop, opened: OpenedConnection, onFrame: @escaping (amqp_frame_t) -> Void,
        onBroken: @escaping (LinkProblem) -> Void
    ) {
        self.loop = loop
        handle = opened.handle
        frameMax = opened.frameMax
        heartbeat = Int64(opened.heartbeatSeconds) * 1_000_000_000
        self.onFrame = onFrame
        self.onBroken = onBroken
        lastHeard = LoopClock.monotonic()
    }

    deinit {
        close()
    }

    /// Begins to read, and to send heartbeats.
    func open() {
        guard !isBroken else { return }
        watch = loop.watch(handle.descriptor, for: .reading) { [unowned self] ready in
            if ready.contains(.writing) {
                isFull = false
                flush()
            }
            if ready.contains(.reading) || ready.contains(.failed) { read() }
        }
        if heartbeat > 0 {
            ticker = loop.makeTimer { [unowned self] in tick() }
            ticker?.arm(after: heartbeat / 2)
        }
        // What came behind the last answer of the helper's calls lies in the library's buffer, where no descriptor
        // shows it.
        read()
    }

    /// Ends everything at once; the socket closes with the last reference to the connection.
    func close() {
        isBroken = true
        watch?.cancel()
        watch = nil
        ticker?.disarm()
        ticker = nil
    }

    /// Writes what the socket takes, and ends; who is on the other side may be gone.
    func closeAfterWriting() {
        if !isBroken { _ = out.drain(handle.write) }
        close()
    }

    /// Writes what the socket takes now; the rest follows when there is room.
    func flush() {
        guard !out.isEmpty, !isFull, !isBroken else { return }
        guard out.drain(handle.write) else {
            // It may have said why before it went.
            read()
            return fail(LinkProblem(.cut, "the broker cut the connection"))
        }
        isFull = !out.isEmpty
        watch?.update(isFull ? [.reading, .writing] : .reading)
    }

    /// One buffer's worth of frames: what is left in the kernel makes the descriptor readable again.
    private func read() {
        guard !isBroken, !isReading else { return }
        isReading = true
        defer { isReading = false }
        lastHeard = LoopClock.monotonic()
        // Callbacks may let go of this wire.
        withExtendedLifetime(self) {
            var frame = amqp_frame_t()
            var now = timeval(tv_sec: 0, tv_usec: 0)
            repeat {
                let status = amqp_simple_wait_frame_noblock(handle.connection, &frame, &now)
                if status == AMQP_STATUS_TIMEOUT.rawValue { break }
                guard status == AMQP_STATUS_OK.rawValue else { return fail(Self.problem(status)) }
                onFrame(frame)
            } while !isBroken
                && (amqp_data_in_buffer(handle.connection) != 0 || amqp_frames_enqueued(handle.connection) != 0)
            // Once a drain, not once a frame: it walks all that is queued.
            amqp_maybe_release_buffers(handle.connection)
        }
    }

    private func tick() {
        ticker?.arm(after: heartbeat / 2)
        if LoopClock.monotonic() - lastHeard > 2 * heartbeat {
            return fail(LinkProblem(.silent, "nothing came from the broker for two heartbeats"))
        }
        if out.isEmpty, out.written == writtenAtTick { out.heartbeat() }
        flush()
        writtenAtTick = out.written
    }

    private func fail(_ problem: LinkProblem) {
        guard !isBroken else { return }
        close()
        onBroken(problem)
    }

    private static func problem(_ status: Int32) -> LinkProblem {
        switch status {
        case AMQP_STATUS_CONNECTION_CLOSED.rawValue, AMQP_STATUS_SOCKET_ERROR.rawValue:
            LinkProblem(.cut, "the broker cut the connection")
        default:
            LinkProblem(.protocolError, "the broker's bytes cannot be read: \(RPCFailure.text(status))")
        }
    }
}
