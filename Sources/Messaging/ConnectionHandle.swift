internal import CLinux
internal import CRabbitMQ

/// An open connection of librabbitmq: made on a helper thread, handed over once, used by one thread at a time. Closes
/// its socket when nobody holds it any more, without waiting for the broker.
final class ConnectionHandle: Sendable {
    // The library's connection; its rule of one thread at a time is kept by handing over, not by a lock.
    nonisolated(unsafe) let connection: amqp_connection_state_t
    /// Where the handshake's callback puts OpenSSL's object; holds nil for a plain connection.
    nonisolated(unsafe) private let tlsNote: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// Nil when there is no memory.
    init?() {
        guard let connection = amqp_new_connection() else { return nil }
        self.connection = connection
        tlsNote = .allocate(capacity: 1)
        tlsNote.initialize(to: nil)
    }

    deinit {
        if let socket = amqp_get_socket(connection), isTLS { cl_amqp_unwatch_tls(socket) }
        amqp_destroy_connection(connection)
        tlsNote.deallocate()
    }

    /// -1 when the library closed it.
    var descriptor: Int32 { amqp_get_sockfd(connection) }

    private var isTLS: Bool { tlsNote.pointee != nil }

    /// OpenSSL's object of an open TLS connection.
    var tls: UnsafeMutableRawPointer? { descriptor < 0 ? nil : tlsNote.pointee }

    func noteTLS(of socket: OpaquePointer) {
        cl_amqp_watch_tls(socket, tlsNote)
    }

    /// On a helper thread: ends it in good order, else the broker logs a warning. Waits for the answer as long as for
    /// any call.
    func sayGoodbye() {
        if descriptor >= 0 { amqp_connection_close(connection, 200) }
    }

    /// Writes what the socket takes now; 0 where it is full, -1 where it is broken.
    func write(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let descriptor = descriptor
        guard descriptor >= 0 else { return -1 }
        if let tls = tlsNote.pointee { return cl_amqp_tls_write(tls, bytes, count) }
        while true {
            let sent = send(descriptor, bytes, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if sent >= 0 { return sent }
            switch cl_errno() {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return 0
            default: return -1
            }
        }
    }
}
