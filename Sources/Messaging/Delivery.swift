/// A message given to a consumer.
public struct Delivery: Sendable {
    /// The message.
    public let message: Message
    /// The exchange it was published to last.
    public let exchange: String
    /// Its routing key.
    public let routingKey: String
    /// The broker's flag; after a crash of a classic queue it is set on all, so it is a hint.
    public let redelivered: Bool
    /// `x-delivery-count` of a quorum queue: how often it was given out before. 0 where the header is missing.
    public let deliveryCount: Int
    /// The body's full size. `message.body` is empty where it is over the plan's `receivedBytesMax`.
    public let bodyBytes: Int
    /// Which consumer of the plan, counted from 0.
    public let consumer: Int
    /// What its ack needs.
    public let receipt: Receipt

    /// Whether the body was too large to be taken in.
    public var isTooLarge: Bool { bodyBytes > message.body.count }
}

/// Names one delivery on one opening of one channel. Void once that channel is gone.
public struct Receipt: Sendable, Hashable {
    /// Counts the openings of channels in a link's life.
    /// The opening.
    public let epoch: UInt32
    /// The AMQP channel.
    public let channel: UInt16
    /// The AMQP delivery tag.
    public let tag: UInt64

    /// Makes a receipt from what one held.
    public init(epoch: UInt32, channel: UInt16, tag: UInt64) {
        self.epoch = epoch
        self.channel = channel
        self.tag = tag
    }
}

/// How many messages wait in a queue.
public struct QueueDepth: Sendable, Equatable {
    /// Messages ready to be given out; those given out and not acked are not counted.
    public let messages: Int
    /// Its consumers.
    public let consumers: Int

    /// Makes a depth.
    public init(messages: Int, consumers: Int) {
        self.messages = messages
        self.consumers = consumers
    }
}
