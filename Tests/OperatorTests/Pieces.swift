import TestSupport

extension Array {
    /// The array in pieces of random lengths.
    func pieces(_ generator: inout SeededGenerator) -> [[Element]] {
        var pieces: [[Element]] = []
        var at = 0
        while at < count {
            let length = Int.random(in: 1...Swift.max(1, count / 2), using: &generator)
            pieces.append(Array(self[at..<Swift.min(count, at + length)]))
            at += length
        }
        return pieces
    }
}
