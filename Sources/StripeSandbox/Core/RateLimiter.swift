/// Lets so many requests through in a second, as Stripe's token buckets do: a second's worth may come at once.
struct RateLimiter {
    private var credit: Double = 0
    private var last: Int64?

    /// Whether a request passes now.
    ///
    /// - Parameters:
    ///   - limit: requests a second; 0 for no limit.
    ///   - monotonic: nanoseconds.
    mutating func admits(limit: Int, monotonic: Int64) -> Bool {
        guard limit > 0 else { return true }
        let full = Double(limit)
        let earned = last.map { Double(max(0, monotonic - $0)) * full / 1e9 } ?? full
        last = monotonic
        credit = min(full, credit + earned)
        guard credit >= 1 else { return false }
        credit -= 1
        return true
    }
}
