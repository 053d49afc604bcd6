/// What a result says about a charge, or about one message of it.
public enum ChargeStatus: String, Hashable, Sendable, CaseIterable {
    /// The money moved.
    case succeeded
    /// The money is reserved, not captured (`capture: false`).
    case authorized
    /// Refused by the card's bank or by Stripe's rules for it. The token is spent: try again only under a new id.
    case declined
    /// The buyer must authenticate, which nobody can do unattended.
    case requiresAction = "requires_action"
    /// The request itself is wrong, here or at Stripe.
    case rejected
    /// No money moved and none will.
    case notCharged = "not_charged"
    /// Money may have moved; look-ups go on.
    case unknown
    /// A person must look.
    case parked
    /// This message was not taken; says nothing about the charge of that id.
    case refused

    /// The rank by which a consumer keeps one of several results for an id: the highest. Not a count.
    public var sequence: Int {
        switch self {
        case .refused: 0
        case .unknown: 1
        case .parked: 2
        case .succeeded, .authorized, .declined, .requiresAction, .rejected, .notCharged: 3
        }
    }

    /// Whether nothing more will be said about the charge.
    public var isFinal: Bool { sequence == 3 }
}
