/// Waits between attempts: 100 ms doubling to 5 s, a half of each by chance, so that many clients do not return at
/// once.
struct Backoff {
    private var attempts = 0
    private var succeededAt: Int64?

    static let first: Int64 = 100_000_000
    static let longest: Int64 = 5_000_000_000
    /// What lasted this long starts anew; a connection that breaks at once goes on from where it was.
    static let lasting: Int64 = 10_000_000_000

    mutating func succeeded(now: Int64) {
        succeededAt = now
    }

    /// How long to wait, in nanoseconds, where `chance` lies in 0..<1.
    mutating func next(now: Int64, isPermanent: Bool, chance: Double) -> Int64 {
        if let succeededAt, now - succeededAt >= Self.lasting { attempts = 0 }
        succeededAt = nil
        let wait = isPermanent ? Self.longest : min(Self.longest, Self.first << min(attempts, 10))
        attempts += 1
        return wait / 2 + Int64(Double(wait / 2) * min(max(chance, 0), 1))
    }
}
