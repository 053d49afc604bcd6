/// Exchanges, queues and bindings that have to exist.
///
/// A quorum queue of RabbitMQ 3.10 is not safe from a crash in about its first second, and one that was deleted and
/// made again can lose all it took at the next restart. So a queue may have a marker: an exchange declared only when
/// the queue has aged. Who finds no marker declares the queue, waits, and declares the marker; who finds the marker
/// but not the queue does not make it again by itself.
public struct TopologyPlan: Sendable, Equatable {
    /// An exchange; durable.
    public struct Exchange: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// `topic`, `direct`, `fanout` or `headers`.
        public var type: String
        /// Arguments such as `alternate-exchange`.
        public var arguments: [MessageHeader]

        /// Makes an exchange.
        public init(_ name: String, type: String, arguments: [MessageHeader] = []) {
            self.name = name
            self.type = type
            self.arguments = arguments
        }
    }

    /// A queue.
    public struct Queue: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Arguments such as `x-queue-type`.
        public var arguments: [MessageHeader]
        /// Whether it survives a restart of the broker; a quorum queue must.
        public var isDurable: Bool
        /// Whether only this connection may use it, and it goes with the connection.
        public var isExclusive: Bool
        /// Whether it goes with its last consumer.
        public var isAutoDelete: Bool
        /// The exchange that says that this queue was made and has aged; nil for none.
        public var marker: String?

        /// Makes a queue.
        public init(
            _ name: String, arguments: [MessageHeader], isDurable: Bool = true, isExclusive: Bool = false,
            isAutoDelete: Bool = false, marker: String? = nil
        ) {
            self.name = name
            self.arguments = arguments
            self.isDurable = isDurable
            self.isExclusive = isExclusive
            self.isAutoDelete = isAutoDelete
            self.marker = marker
        }
    }

    /// A queue bound to an exchange.
    public struct Binding: Sendable, Equatable {
        /// The queue.
        public var queue: String
        /// The exchange.
        public var exchange: String
        /// The routing key or pattern.
        public var routingKey: String

        /// Makes a binding.
        public init(queue: String, exchange: String, routingKey: String) {
            self.queue = queue
            self.exchange = exchange
            self.routingKey = routingKey
        }
    }

    /// The exchanges; one that others name as alternate comes anywhere, RabbitMQ does not ask for it.
    public var exchanges: [Exchange]
    /// The queues.
    public var queues: [Queue]
    /// The bindings.
    public var bindings: [Binding]
    /// How long a new queue ages before its marker is declared, in nanoseconds. 0 only where the broker is never
    /// killed.
    public var settle: Int64
    /// Whether a queue that is gone though its marker exists is made again: only by a person's word.
    public var remakesQueues = false

    /// Makes a plan.
    public init(
        exchanges: [Exchange] = [], queues: [Queue] = [], bindings: [Binding] = [], settle: Int64 = 2_000_000_000
    ) {
        self.exchanges = exchanges
        self.queues = queues
        self.bindings = bindings
        self.settle = settle
    }
}

/// One line of what `check` found.
public struct TopologyDifference: Sendable, Equatable, CustomStringConvertible {
    /// `queue` or `exchange`.
    public let object: String
    /// Its name.
    public let name: String
    /// The argument that differs; `existence` where the whole is missing.
    public let argument: String
    /// What there is; `missing` where there is nothing.
    public let have: String
    /// What there should be.
    public let want: String
    /// What a person can do.
    public let mend: String

    /// The line.
    public var description: String {
        "\(object) \(name): \(argument) is \(have), should be \(want); \(mend)"
    }
}
