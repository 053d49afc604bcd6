/// What a link is to be: where it connects, what it declares, which channels it keeps open.
public struct LinkPlan: Sendable {
    /// One channel of a link.
    public enum Channel: Sendable {
        /// Publishes with confirms. A link has at most one.
        case publishing
        /// Consumes a queue. Consumers are counted from 0 in the plan's order.
        case consuming(Consumer)
    }

    /// A consumer; each has a channel of its own.
    public struct Consumer: Sendable {
        /// The queue.
        public var queue: String
        /// Deliveries out at once, 1 to 65,535.
        public var prefetch: Int
        /// Whether it must be the queue's only consumer.
        public var isExclusive: Bool
        /// Arguments such as `x-priority`.
        public var arguments: [MessageHeader]

        /// Makes a consumer.
        public init(queue: String, prefetch: Int, isExclusive: Bool = false, arguments: [MessageHeader] = []) {
            self.queue = queue
            self.prefetch = prefetch
            self.isExclusive = isExclusive
            self.arguments = arguments
        }
    }

    /// Tried in turn at each attempt to connect.
    public var endpoints: [BrokerEndpoint]
    /// Shown by the broker's tools as the connection's name.
    public var name: String
    /// Further client properties, shown by the broker's tools.
    public var properties: [MessageHeader] = []
    /// The heartbeat to ask for, in seconds; the broker's is used where it is shorter.
    public var heartbeatSeconds = 20
    /// Longest that name look-up, connect, TLS and login may take for one endpoint, in nanoseconds.
    public var connectDeadline: Int64 = 10_000_000_000
    /// Longest that channels and consumers may take to be confirmed by the broker, in nanoseconds.
    public var openDeadline: Int64 = 15_000_000_000
    /// Declared at each connect, before the channels.
    public var topology: TopologyPlan?
    /// The channels.
    public var channels: [Channel]
    /// The header in which a mandatory publish carries its number, so that its return can be told.
    public var publishHeader = "x-publish-number"
    /// Longest that a publish waits for its confirm before its outcome is `.lost`, in nanoseconds.
    public var confirmDeadline: Int64 = 30_000_000_000
    /// Bounds on what goes out and comes in.
    public var limits = Limits()

    /// Bounds on what goes out and comes in.
    public struct Limits: Sendable {
        /// Largest body to publish. RabbitMQ's own limit is 128 MiB and closes the channel.
        public var bodyBytesMax = 16 * 1024 * 1024
        /// Largest header table to publish.
        public var headerBytesMax = 16 * 1024
        /// Publishes are written up to this many unconfirmed bytes, then wait in our memory: what was not written was
        /// surely not sent.
        public var unconfirmedBytesMax = 512 * 1024
        /// Bytes that may wait in our memory; a publish over it is `.notSent(.full)`.
        public var queuedBytesMax = 32 * 1024 * 1024
        /// Largest body to take in; a larger one is delivered without its body.
        public var receivedBytesMax = 16 * 1024 * 1024

        /// The bounds as they stand.
        public init() {}
    }

    /// Makes a plan; the other properties have defaults to change.
    public init(endpoints: [BrokerEndpoint], name: String, channels: [Channel]) {
        self.endpoints = endpoints
        self.name = name
        self.channels = channels
    }

    var consumers: [Consumer] {
        channels.compactMap { if case .consuming(let consumer) = $0 { consumer } else { nil } }
    }

    /// What makes the plan impossible.
    var fault: LinkProblem? {
        if endpoints.isEmpty { return LinkProblem(.invalid, "no broker address is given") }
        if channels.count - consumers.count > 1 {
            return LinkProblem(.invalid, "a link has at most one publishing channel")
        }
        if channels.count > 2000 { return LinkProblem(.invalid, "a connection has at most 2047 channels") }
        for consumer in consumers {
            if !(1...65535).contains(consumer.prefetch) {
                return LinkProblem(.invalid, "prefetch of \(consumer.queue) is \(consumer.prefetch); it is 1 to 65535")
            }
            if consumer.arguments.contains(where: { $0.name.utf8.count > 255 }) {
                return LinkProblem(.invalid, "an argument's name of \(consumer.queue) is over 255 bytes")
            }
            if consumer.queue.isEmpty || consumer.queue.utf8.count > 255 {
                return LinkProblem(.invalid, "a queue's name has 1 to 255 bytes: \(consumer.queue)")
            }
        }
        return nil
    }
}
