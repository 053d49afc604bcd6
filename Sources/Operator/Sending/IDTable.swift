/// The ids of a file's rows, each by 128 bits of a hash and not by its text, so that a million rows cost some 30 MB.
///
/// Two ids that share 128 bits of a keyed hash are not to be met with.
struct IDTable: Sendable {
    private var ordinals: [UInt128: UInt32] = [:]
    private var lines: [UInt32] = []

    /// How many ids there are.
    var count: Int { lines.count }

    /// Adds the id of the next row.
    ///
    /// - Returns: nil, or the line on which the id stood before.
    mutating func add(_ id: String, line: Int) -> Int? {
        let key = Self.key(id)
        if let known = ordinals[key] { return Int(lines[Int(known)]) }
        ordinals[key] = UInt32(lines.count)
        lines.append(UInt32(clamping: line))
        return nil
    }

    /// Which of the ids it is, from 0 in the order of adding; nil for another's.
    func ordinal(of id: String) -> Int? {
        ordinals[Self.key(id)].map { Int($0) }
    }

    /// The line on which an id stands.
    func line(ofOrdinal ordinal: Int) -> Int { Int(lines[ordinal]) }

    private static func key(_ id: String) -> UInt128 {
        var one = Hasher()
        one.combine(id)
        var other = Hasher()
        other.combine(0)
        other.combine(id)
        return UInt128(UInt(bitPattern: one.finalize())) << 64 | UInt128(UInt(bitPattern: other.finalize()))
    }
}
