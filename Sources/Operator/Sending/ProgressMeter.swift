/// How far a long piece of work is, how fast it goes and how long it will take; times in nanoseconds of one monotonic
/// clock.
struct ProgressMeter: Sendable, Equatable {
    /// All there is to do; nil when that is not known.
    let total: Int?
    private(set) var done = 0
    private let start: Int64
    /// A few readings of the last seconds, oldest first.
    private var samples: [Sample] = []

    private struct Sample: Sendable, Equatable {
        let time: Int64
        let done: Int
    }

    /// What the rate is measured over.
    static let window: Int64 = 5_000_000_000
    private static let sampleEvery: Int64 = 250_000_000

    init(total: Int?, now: Int64) {
        self.total = total
        start = now
        samples = [Sample(time: now, done: 0)]
    }

    /// Notes that so much is done by now.
    mutating func note(done: Int, now: Int64) {
        self.done = done
        guard let last = samples.last, now - last.time >= Self.sampleEvery else { return }
        samples.append(Sample(time: now, done: done))
        let old = samples.prefix { now - $0.time > Self.window }.count
        // One that is older stays, so that the window is full.
        if old > 1 { samples.removeFirst(old - 1) }
    }

    /// A second, over the last seconds; 0 before there is anything to tell.
    func rate(now: Int64) -> Double {
        guard let first = samples.first, now > first.time else { return 0 }
        return Double(done - first.done) * 1e9 / Double(now - first.time)
    }

    /// A second, over all of it.
    func averageRate(now: Int64) -> Double {
        now > start ? Double(done) * 1e9 / Double(now - start) : 0
    }

    /// Nanoseconds since the start.
    func elapsed(now: Int64) -> Int64 { now - start }

    /// Whole seconds that the rest takes at the present rate; nil when nothing moves.
    func secondsLeft(now: Int64) -> Int64? {
        guard let total else { return nil }
        let rate = rate(now: now)
        guard rate > 0 else { return total > done ? nil : 0 }
        let seconds = (Double(max(0, total - done)) / rate).rounded(.up)
        return seconds < 1e9 ? Int64(seconds) : nil
    }

    /// From 0 to 1.
    var fraction: Double {
        guard let total, total > 0 else { return 1 }
        return min(1, Double(done) / Double(total))
    }
}
