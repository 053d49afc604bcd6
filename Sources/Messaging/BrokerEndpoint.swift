/// Where a broker is and who we are there, as an AMQP URL says it. Its text never shows the password.
public struct BrokerEndpoint: Sendable, Equatable {
    /// How a TLS connection is checked.
    public struct TLS: Sendable, Equatable {
        /// PEM file of the authorities to trust.
        public var authorities = TLS.systemAuthorities
        /// PEM file of our own certificate, where the broker asks for one.
        public var certificate: String?
        /// PEM file of its key.
        public var key: String?
        /// Whether the certificate is checked at all, chain and name.
        public var isVerified = true

        /// Debian's bundle of authorities.
        public static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

        /// The system's authorities, everything checked.
        public init() {}
    }

    /// Name or address.
    public var host: String
    /// TCP port.
    public var port: Int
    /// User.
    public var user: String
    /// Password; shown nowhere.
    public var password: String
    /// Virtual host.
    public var vhost: String
    /// TLS for `amqps`, nil for plain.
    public var tls: TLS?
    /// `heartbeat`, in seconds, where the URL has one.
    public var heartbeatSeconds: Int?
    /// `connection_timeout`, in milliseconds, where the URL has one.
    public var connectTimeoutMilliseconds: Int?

    /// Makes an endpoint; what is left out is as in `amqp://`.
    public init(
        host: String, port: Int = 5672, user: String = "guest", password: String = "guest", vhost: String = "/",
        tls: TLS? = nil
    ) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.vhost = vhost
        self.tls = tls
    }

    /// Host and port, for messages.
    public var address: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension BrokerEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL with the password masked.
    public var description: String {
        "\(tls == nil ? "amqp" : "amqps")://\(user):***@\(address)/\(vhost == "/" ? "%2F" : vhost)"
    }

    /// As `description`.
    public var debugDescription: String { description }

    /// Nothing but the description: a dump must not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
