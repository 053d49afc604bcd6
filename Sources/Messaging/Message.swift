/// A message, in or out. What AMQP knows beyond this is neither sent nor read: a republish carries its maker's fields
/// only.
public struct Message: Sendable, Equatable {
    /// The body, as it is.
    public var body: [UInt8]
    /// MIME type of the body.
    public var contentType: String?
    /// `message-id`, up to 255 bytes, as every text here.
    public var messageID: String?
    /// `correlation-id`.
    public var correlationID: String?
    /// `reply-to`, the name of a queue.
    public var replyTo: String?
    /// `type`, the kind of message.
    public var type: String?
    /// `timestamp`, in seconds since 1970.
    public var timestamp: Int64?
    /// Delivery mode 2: kept by durable queues over a restart.
    public var persistent: Bool
    /// Headers in their order.
    public var headers: [MessageHeader]

    /// Makes a message; only the body has to be given.
    public init(
        body: [UInt8], contentType: String? = nil, messageID: String? = nil, correlationID: String? = nil,
        replyTo: String? = nil, type: String? = nil, timestamp: Int64? = nil, persistent: Bool = true,
        headers: [MessageHeader] = []
    ) {
        self.body = body
        self.contentType = contentType
        self.messageID = messageID
        self.correlationID = correlationID
        self.replyTo = replyTo
        self.type = type
        self.timestamp = timestamp
        self.persistent = persistent
        self.headers = headers
    }

    /// The value of the first header of this name.
    public subscript(header name: String) -> HeaderValue? {
        for header in headers where header.name == name { return header.value }
        return nil
    }
}

/// One header of a message, or one argument of a queue.
public struct MessageHeader: Sendable, Equatable {
    /// Its name, up to 255 bytes.
    public var name: String
    /// Its value.
    public var value: HeaderValue

    /// Makes a header.
    public init(_ name: String, _ value: HeaderValue) {
        self.name = name
        self.value = value
    }
}

/// The values that headers and arguments have here.
public enum HeaderValue: Sendable, Equatable, CustomStringConvertible {
    /// Any integer; sent as 64 bits signed (`l`), which RabbitMQ compares equal to narrower ones.
    case int(Int64)
    /// UTF-8 text (`S`).
    case text(String)
    /// True or false (`t`).
    case bool(Bool)
    /// Something else, which came in: a table, an array, a float. Sent as void.
    case other

    /// The integer, where it is one.
    public var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The text, where it is one.
    public var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The value as a person would write it.
    public var description: String {
        switch self {
        case .int(let value): "\(value)"
        case .text(let value): value
        case .bool(let value): "\(value)"
        case .other: "(another type)"
        }
    }
}
