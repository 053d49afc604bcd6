/// What became of a publish.
public enum PublishOutcome: Sendable, Equatable {
    /// The broker took it over: written down by every queue it was routed to.
    case confirmed
    /// The broker refused it (`basic.nack`): a queue is full under `reject-publish`, or an error inside the broker.
    case nacked
    /// It was mandatory and no queue is bound for it (`basic.return`); code 312 is NO_ROUTE. The broker dropped it.
    case returned(code: Int, text: String)
    /// It surely never reached the broker whole.
    case notSent(NotSentReason)
    /// It was sent and its confirm will not come (the channel or connection is gone, or its time is over): it may be
    /// stored.
    case lost
}

/// Why a publish was not sent.
public enum NotSentReason: Sendable, Equatable {
    /// There is no connection, or it broke before the last byte left.
    case disconnected
    /// The broker takes no publishes now (`connection.blocked`), in its words, such as "low on memory".
    case blocked(String)
    /// Too much waits for its confirm already.
    case full
    /// A part of the message is larger than AMQP or the plan allows; the text names the part.
    case tooLarge(String)
    /// The link was closed by its owner.
    case closed
}
