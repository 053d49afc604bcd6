/// When a charge is tried again: a little in the process, then in the broker's wait queues.
public struct RetryPolicy: Sendable {
    /// The durable delays, ascending, never empty.
    public let tiers: [WaitTier]
    /// `unknown` is told when a charge that may have been sent goes to a wait this long.
    static let unknownFrom: Int64 = 30_000
    /// Sends of one visit: the first and two in-process repeats.
    static let sendsPerVisit = 3

    /// Makes a policy of these delays.
    ///
    /// - Parameter tiers: `CHARGELINE_RETRY_DELAYS`; an empty list is read as one second.
    public init(tiers: [WaitTier]) {
        self.tiers = tiers.isEmpty ? [WaitTier(milliseconds: 1000)] : tiers.sorted()
    }

    /// The pause before the next send of this visit, in ms; nil when the charge is to wait in the broker instead.
    ///
    /// - Parameters:
    ///   - again: why it is sent again.
    ///   - repeats: sends of this visit before this one.
    ///   - chance: 0..<1; pauses are spread over the upper half of their range.
    public func pause(_ again: Again, repeats: Int, chance: Double) -> Int64? {
        let base: Int64
        switch again {
        case .limited: return nil
        case .locked: base = repeats < 4 ? 100 << Int64(repeats) : 0
        case .notSent, .mayHaveMoved: base = repeats < Self.sendsPerVisit - 1 ? 400 << Int64(repeats) : 0
        }
        return base == 0 ? nil : base / 2 + Int64(Double(base / 2) * chance)
    }

    /// The wait queue for the next visit.
    ///
    /// - Parameters:
    ///   - again: why it is sent again.
    ///   - attempts: attempts spent so far.
    ///   - chance: 0..<1; a fifth of the charges comes a step earlier, so that a burst does not come back as one.
    public func tier(_ again: Again, attempts: Int, chance: Double) -> WaitTier {
        switch again {
        case .locked:
            return tiers[0]
        case .notSent:
            return tiers[chance < 0.5 ? 0 : min(1, tiers.count - 1)]
        case .limited(let retryAfter):
            return nearest(retryAfter ?? (chance < 0.5 ? 1000 : 5000))
        case .mayHaveMoved:
            let visits = max(1, (attempts + Self.sendsPerVisit - 1) / Self.sendsPerVisit)
            let step = min(visits - 1, tiers.count - 1)
            return tiers[chance < 0.2 ? max(0, step - 1) : step]
        }
    }

    /// The wait before the next look-up: 30 s, 2 min, 10 min, then hourly.
    public func lookUpTier(lookups: Int) -> WaitTier {
        let schedule: [Int64] = [30_000, 120_000, 600_000, 3_600_000]
        return nearest(schedule[min(max(0, lookups), schedule.count - 1)])
    }

    /// The wait for a person who mends a key or a setting.
    var operatorTier: WaitTier { nearest(30_000) }

    /// The shortest delay that is at least this long, or the longest there is.
    func nearest(_ milliseconds: Int64) -> WaitTier {
        tiers.first { $0.milliseconds >= milliseconds } ?? tiers[tiers.count - 1]
    }
}
