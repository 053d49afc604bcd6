/// A token bucket that Stripe can lower: requests a second of this worker's share of the account's quota.
///
/// Pure: time comes in as monotonic nanoseconds. After a 429 the rate falls by a third, at most once a second, and
/// grows back by a tenth of the configured rate each second.
struct RateLimit {
    /// Requests a second as configured; 0 means no limit.
    let configured: Double
    /// Requests a second now.
    private(set) var current: Double
    private var tokens: Double
    private var refilledAt: Int64
    private var loweredAt: Int64

    /// As many requests may leave at once as the rate brings in this time: bursts within Stripe's one-second window.
    private static let burstSeconds = 0.1
    private static let second: Int64 = 1_000_000_000

    init(perSecond: Double, now: Int64) {
        configured = perSecond
        current = perSecond
        tokens = 1
        refilledAt = now
        loweredAt = now - Self.second
    }

    var isUnlimited: Bool { configured == 0 }

    private var capacity: Double { max(1, current * Self.burstSeconds) }

    /// Takes a token. Nil when there was one; else the nanoseconds until there will be.
    mutating func take(now: Int64) -> Int64? {
        guard !isUnlimited else { return nil }
        refill(now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return max(1, Int64((1 - tokens) / current * Double(Self.second)))
    }

    /// Gives back a token that was taken for nothing.
    mutating func putBack() {
        tokens = min(capacity, tokens + 1)
    }

    /// Stripe answered 429.
    mutating func limited(now: Int64) {
        guard !isUnlimited, now - loweredAt >= Self.second else { return }
        refill(now)
        loweredAt = now
        current = max(min(1, configured), current * 2 / 3)
        tokens = min(tokens, capacity)
    }

    private mutating func refill(_ now: Int64) {
        let elapsed = Double(max(0, now - refilledAt)) / Double(Self.second)
        refilledAt = now
        tokens = min(capacity, tokens + elapsed * current)
        if now - loweredAt > Self.second { current = min(configured, current + configured * 0.1 * elapsed) }
    }
}
