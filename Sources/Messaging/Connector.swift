internal import CLinux
internal import CRabbitMQ
internal import EventLoop

/// A connection that is logged in and has declared what it had to.
struct OpenedConnection: Sendable {
    let handle: ConnectionHandle
    let endpoint: BrokerEndpoint
    /// As agreed with the broker, in seconds; 0 where it wants none.
    let heartbeatSeconds: Int
    let frameMax: Int
    let server: BrokerServer
}

/// What the broker says about itself.
public struct BrokerServer: Sendable, Equatable {
    /// `RabbitMQ`.
    public let product: String
    /// Its version, such as `3.10.8`.
    public let version: String
    /// The cluster's name.
    public let cluster: String
}

/// All that a connection needs before a loop can have it; blocking, for a helper thread.
struct Connector: Sendable {
    let endpoint: BrokerEndpoint
    let name: String
    let properties: [MessageHeader]
    let heartbeatSeconds: Int
    /// For look-up, connect, TLS and login together, in nanoseconds.
    let deadline: Int64
    /// Longest answer of the broker to one call after the login.
    static let rpcSeconds = 5

    init(_ plan: LinkPlan, _ endpoint: BrokerEndpoint) {
        self.endpoint = endpoint
        name = plan.name
        properties = plan.properties
        heartbeatSeconds = endpoint.heartbeatSeconds ?? plan.heartbeatSeconds
        deadline = endpoint.connectTimeoutMilliseconds.map { Int64($0) * 1_000_000 } ?? plan.connectDeadline
    }

    func connect() throws(LinkProblem) -> OpenedConnection {
        let until = LoopClock.monotonic() + deadline
        guard let handle = ConnectionHandle() else { throw LinkProblem(.unreachable, "out of memory") }
        if let tls = endpoint.tls {
            try openTLS(handle, tls, until: until)
        } else {
            try openPlain(handle, until: until)
        }
        try login(handle, until: until)
        var timeout = timeval(tv_sec: Self.rpcSeconds, tv_usec: 0)
        amqp_set_rpc_timeout(handle.connection, &timeout)
        return OpenedConnection(
            handle: handle, endpoint: endpoint, heartbeatSeconds: Int(amqp_get_heartbeat(handle.connection)),
            frameMax: Int(amqp_get_frame_max(handle.connection)), server: server(of: handle))
    }

    /// Turns the library's own heartbeats off: from here on ours are used, since its sends may wait. The broker keeps
    /// the agreed ones. Only right after a call was answered, when no frame is half read.
    static func release(_ opened: OpenedConnection) {
        let connection = opened.handle.connection
        amqp_tune_connection(connection, amqp_get_channel_max(connection), amqp_get_frame_max(connection), 0)
    }

    private func openPlain(_ handle: ConnectionHandle, until: Int64) throws(LinkProblem) {
        let descriptor = try Dialer(deadline: until)
            .dial(host: endpoint.host, port: endpoint.port, address: endpoint.address)
        guard let socket = amqp_tcp_socket_new(handle.connection) else {
            close(descriptor)
            throw LinkProblem(.unreachable, "out of memory")
        }
        amqp_tcp_socket_set_sockfd(socket, descriptor)
    }

    private func login(_ handle: ConnectionHandle, until: Int64) throws(LinkProblem) {
        var timeout = Self.timeLeft(until: until)
        amqp_set_handshake_timeout(handle.connection, &timeout)
        let table = ArgumentTable(
            [MessageHeader("connection_name", .text(name)), MessageHeader("product", .text(name))] + properties,
            capabilities: ["connection.blocked", "consumer_cancel_notify", "publisher_confirms", "basic.nack"])
        var properties = table.table
        let reply = withExtendedLifetime(table) {
            cl_amqp_login(
                handle.connection, endpoint.vhost, 131_072, Int32(heartbeatSeconds), &properties, endpoint.user,
                endpoint.password)
        }
        guard let failure = RPCFailure(reply) else { return }
        switch failure {
        case .server(let words) where words.code == 403:
            throw LinkProblem(
                .credentials, "\(endpoint.address) refuses the user \(endpoint.user) or the password: \(words.text)",
                mend: "check the user and password in the broker's URL")
        case .server(let words): throw words.connectionProblem
        case .library(let status) where status == AMQP_STATUS_TIMEOUT.rawValue:
            throw LinkProblem(
                .silent, "\(endpoint.address) took the connection but did not finish the login in time",
                mend: "check that it is a RabbitMQ port, and not overloaded")
        case .library(let status):
            let hint = endpoint.tls == nil ? "a TLS port needs amqps://" : "a plain port needs amqp://"
            throw LinkProblem(
                .cut, "\(endpoint.address) ended the login: \(RPCFailure.text(status))",
                mend: "check that it is a RabbitMQ port (\(hint))")
        }
    }

    private func server(of handle: ConnectionHandle) -> BrokerServer {
        var found: [String: String] = [:]
        if let table = amqp_get_server_properties(handle.connection)?.pointee, let entries = table.entries {
            for index in 0..<Int(table.num_entries) where entries[index].value.kind == UInt8(ascii: "S") {
                found[entries[index].key.text] = entries[index].value.value.bytes.text
            }
        }
        return BrokerServer(
            product: found["product"] ?? "", version: found["version"] ?? "", cluster: found["cluster_name"] ?? "")
    }

    static func timeLeft(until: Int64) -> timeval {
        let left = max(1_000_000, until - LoopClock.monotonic())
        return timeval(tv_sec: Int(left / 1_000_000_000), tv_usec: Int(left % 1_000_000_000 / 1000))
    }
}

/// Why one of the library's blocking calls failed.
enum RPCFailure {
    case server(ServerWords)
    case library(Int32)

    /// Nil for a success.
    init?(_ reply: amqp_rpc_reply_t) {
        switch reply.reply_type {
        case AMQP_RESPONSE_NORMAL:
            return nil
        case AMQP_RESPONSE_SERVER_EXCEPTION:
            self = .server(ServerWords(reply.reply))
        case AMQP_RESPONSE_LIBRARY_EXCEPTION:
            self = .library(reply.library_error)
        default:
            self = .library(AMQP_STATUS_UNEXPECTED_STATE.rawValue)
        }
    }

    static func text(_ status: Int32) -> String {
        String(cString: amqp_error_string2(status))
    }
}

extension ServerWords {
    /// Reads a channel.close or a connection.close.
    init(_ method: amqp_method_t) {
        if method.id == AMQP_CONNECTION_CLOSE_METHOD, let decoded = method.decoded {
            let close = decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
            self.init(
                code: Int(close.reply_code), text: close.reply_text.text, classID: close.class_id,
                methodID: close.method_id)
        } else if method.id == AMQP_CHANNEL_CLOSE_METHOD, let decoded = method.decoded {
            let close = decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
            self.init(
                code: Int(close.reply_code), text: close.reply_text.text, classID: close.class_id,
                methodID: close.method_id)
        } else {
            self.init(code: 0, text: "an unexpected answer", classID: 0, methodID: 0)
        }
    }
}
