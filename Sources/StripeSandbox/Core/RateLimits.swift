/// The limits of each account, as Stripe sets them (docs: rate limits): one over all requests, and one over searches.
struct RateLimits {
    private var all: [Int: RateLimiter] = [:]
    private var searches: [Int: RateLimiter] = [:]

    /// Searches a second, whatever else is allowed.
    private static let searchLimit = 20

    /// Which limiter turns the request away, in the words of `Stripe-Rate-Limited-Reason`; nil where it passes.
    ///
    /// - Parameter limit: requests a second; 0 for no limit at all.
    mutating func refusal(_ visit: Visit, limit: Int) -> String? {
        guard limit > 0 else { return nil }
        let now = visit.instant.monotonic
        guard all[visit.scope, default: RateLimiter()].admits(limit: limit, monotonic: now) else {
            return "global-rate"
        }
        guard visit.request.path.hasSuffix("/search") else { return nil }
        let admitted = searches[visit.scope, default: RateLimiter()].admits(
            limit: min(limit, Self.searchLimit), monotonic: now)
        return admitted ? nil : "endpoint-rate"
    }
}
