internal import CLinux
internal import EventLoop

/// Keeps a refused client's connection open until it has stopped sending.
///
/// Closing a socket that holds unread data resets it, and the reset may overtake the answer: the client of a body over
/// the limit would see "connection reset" in place of its 413. So a copy of the descriptor outlives libmicrohttpd's,
/// and what still comes is thrown away, for at most two seconds.
final class LingeringClose {
    private final class Client {
        let descriptor: Int32
        var watch: Watch?
        var timer: LoopTimer?
        var isOpen = true

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        func end() {
            guard isOpen else { return }
            isOpen = false
            watch?.cancel()
            timer?.disarm()
            (watch, timer) = (nil, nil)
            close(descriptor)
        }

        /// False once there is nothing more to come.
        func discard() -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                return count > 0 || (count < 0 && cl_errno() == EAGAIN)
            }
        }
    }

    private let loop: Loop
    private var clients: [Client] = []

    private static let longest: Int64 = 2_000_000_000
    /// Over this many at once somebody is playing; the rest get their reset.
    private static let most = 64

    init(loop: Loop) {
        self.loop = loop
    }

    /// Takes over the connection of `descriptor`, which somebody else is about to close.
    func take(_ descriptor: Int32) {
        clients.removeAll { !$0.isOpen }
        guard clients.count < Self.most else { return }
        let copy = dup(descriptor)
        guard copy >= 0 else { return }
        _ = cl_set_cloexec(copy)
        shutdown(copy, Int32(SHUT_WR))
        let client = Client(copy)
        clients.append(client)
        client.watch = loop.watch(copy, for: .reading) { [unowned client] _ in if !client.discard() { client.end() } }
        client.timer = loop.makeTimer { [unowned client] in client.end() }
        client.timer?.arm(after: Self.longest)
    }

    func stop() {
        for client in clients { client.end() }
        clients = []
    }
}
