/// Where a link stands.
public enum LinkState: Sendable, Equatable {
    /// Not started.
    case idle
    /// The first connection is being made.
    case connecting
    /// Connected, the publishing channel confirms, every consumer consumes or is paused.
    case ready
    /// As ready, but the broker takes no publishes for now; its words, such as "low on memory". Consuming and acks go
    /// on.
    case blocked(String)
    /// Not ready; the link tries again by itself.
    case lost(LinkProblem)
    /// Not ready, for a reason that trying again does not mend. The link still does, slowly: somebody may mend it.
    case refused(LinkProblem)
    /// Closed by its owner; for good.
    case closed

    /// Whether it consumes: ready or blocked.
    public var isUp: Bool {
        switch self {
        case .ready, .blocked: true
        case .idle, .connecting, .lost, .refused, .closed: false
        }
    }

    /// Why it is not up.
    public var problem: LinkProblem? {
        switch self {
        case .lost(let problem), .refused(let problem): problem
        case .idle, .connecting, .ready, .blocked, .closed: nil
        }
    }
}
