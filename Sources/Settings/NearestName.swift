/// Finds the name that was probably meant.
public enum NearestName {
    /// The candidate with the fewest single-letter changes, swaps of neighbours counting as one, if they are few enough
    /// for a slip of the hand: a third of the letters at most. Case does not count.
    public static func of(_ name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().utf8)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().utf8)
            let distance = distance(wanted, letters)
            guard distance * 3 <= max(wanted.count, letters.count) else { continue }
            if let known = best, known.distance <= distance { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// The edit distance with swaps of neighbours ("optimal string alignment").
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var before: [Int] = []
        var last = Array(0...other.count)
        for row in 1...one.count {
            var next = [row]
            for column in 1...other.count {
                let change = one[row - 1] == other[column - 1] ? 0 : 1
                var least = min(last[column - 1] + change, last[column] + 1, next[column - 1] + 1)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    least = min(least, before[column - 2] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}
