/// Counts values by size.
public final class Histogram {
    /// Upper bounds, in seconds, that fit waits from a local publish to Stripe's slowest answer.
    public static let seconds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    let bounds: [Double]
    /// Values in each bucket alone; the last bucket has no upper bound.
    private(set) var counts: [UInt64]
    /// The sum of all values.
    public private(set) var sum: Double = 0
    /// How many values there were.
    public private(set) var count: UInt64 = 0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// Counts one value; what is not a finite number is not counted, because it would spoil the sum for ever.
    public func observe(_ value: Double) {
        guard value.isFinite else { return }
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        counts[bucket] += 1
        count += 1
        sum += value
    }
}
