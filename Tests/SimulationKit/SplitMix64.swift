/// The one source of chance of a run: Steele, Lea and Flood's SplitMix64. The same seed gives the same numbers on every
/// machine.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts at a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 0 ..< `count`, which must be positive.
    mutating func below(_ count: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// `low` ... `high`.
    mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(below(Int(high - low + 1)))
    }

    /// 0 ..< 1.
    mutating func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// True with this probability; what cannot happen draws nothing.
    mutating func happens(_ probability: Double) -> Bool {
        probability > 0 && fraction() < probability
    }

    /// One of several, which must not be empty.
    mutating func one<Value>(of values: [Value]) -> Value {
        values[below(values.count)]
    }
}
