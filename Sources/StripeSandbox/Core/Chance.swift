/// Chance that a seed decides.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) {
        state = ObjectID.mix(seed ^ 0xA076_1D64_78BD_642F)
    }

    /// SplitMix64's step.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return ObjectID.mix(state)
    }

    mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(range.upperBound - range.lowerBound) &+ 1
        return range.lowerBound + Int64(next() % max(1, width))
    }

    /// FNV-1a: the same in every process, unlike the standard library's hashes.
    static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
