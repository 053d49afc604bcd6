/// Counts over the requests of Stripe's API; the sandbox's own calls are not in them.
struct Stats {
    private(set) var requests = 0
    /// By status, or by what was done instead of answering.
    private(set) var byStatus: [String: Int] = [:]
    var replays = 0
    private(set) var peakPerSecond = 0
    private var second: Int64 = -1
    private var inSecond = 0

    mutating func arrived(monotonic: Int64) {
        requests += 1
        let now = monotonic / 1_000_000_000
        if now != second {
            second = now
            inSecond = 0
        }
        inSecond += 1
        peakPerSecond = max(peakPerSecond, inSecond)
    }

    mutating func answered(_ reply: SandboxReply) {
        switch reply.delivery {
        case .answer: byStatus[String(reply.status), default: 0] += 1
        case .truncated: byStatus["truncated", default: 0] += 1
        case .reset: byStatus["reset", default: 0] += 1
        case .hang: byStatus["hang", default: 0] += 1
        }
    }
}
