public import Settings

/// How the sandbox behaves. Flags set it at start; `PUT /_sandbox/settings` changes what can change while it runs.
public struct SandboxSettings: Sendable, Equatable {
    /// Which tokens can be used once only.
    public enum SingleUse: String, Sendable, Equatable {
        /// None: a wrong idempotency key shows as a second charge, not as a refused token.
        case none
        /// Those made by `POST /v1/tokens`, as at Stripe.
        case made
        /// Also the named test tokens, `tok_visa` and the like, which Stripe lets be used again.
        case all
    }

    /// A time that each answer takes.
    public struct Latency: Sendable, Equatable {
        /// At least.
        public let least: TimeSpan
        /// At most; each answer's is drawn between the two.
        public let most: TimeSpan

        /// From `least` to `most`; without `most` always the same. Over a day counts as a day.
        public init(_ least: TimeSpan, _ most: TimeSpan? = nil) {
            self.least = min(least, .hours(24))
            self.most = min(max(least, most ?? least), .hours(24))
        }
    }

    /// Before an answer leaves; the effect comes first.
    public var latency = Latency(.seconds(0))
    /// Requests a second for each account; 0 for no limit. Stripe's own are 25 in a sandbox and 100 live; at most 20 of
    /// them may be searches (docs: rate limits).
    public var rateLimit = 0
    /// Which tokens can be used once only.
    public var singleUseTokens = SingleUse.none
    /// Until a search finds a new object, on the movable clock. Stripe says under a minute, an hour in bad times.
    public var searchLag = TimeSpan.seconds(0)
    /// The largest amount, in minor units. Stripe's reference says eight digits; its currency page says twelve for
    /// cards.
    public var largestAmount: Int64 = 99_999_999 {
        didSet { largestAmount = min(largestAmount, Self.largestAmountEver) }
    }
    /// Twelve digits: what a card can pay at all.
    public static let largestAmountEver: Int64 = 999_999_999_999
    /// Decides ids, drawn latencies and which requests a rated fault hits.
    public var seed: UInt64 = 1
    /// Faults to begin with.
    public var faults: [Fault] = []

    /// The defaults: no latency, no limit, no fault.
    public init() {}
}
