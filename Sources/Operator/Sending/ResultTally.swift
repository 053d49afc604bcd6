internal import Charging

/// Counts results by status, each charge once: of several results for an id the one of the highest sequence counts.
struct ResultTally: Sendable {
    private var states: [UInt8]
    private(set) var counts: [ChargeStatus: Int] = [:]
    /// Charges that nothing more is expected of.
    private(set) var settled = 0
    /// Charges for which two different finals came: an alarm.
    private(set) var conflicts = 0

    private static let none = UInt8.max
    private static let statuses = ChargeStatus.allCases

    /// A tally of so many charges, numbered from 0.
    init(count: Int) {
        states = Array(repeating: Self.none, count: count)
    }

    /// How many charges there are.
    var count: Int { states.count }
    /// Charges that still need a result.
    var open: Int { states.count - settled }

    /// Takes a result.
    mutating func take(_ status: ChargeStatus, ordinal: Int) {
        let old = states[ordinal] == Self.none ? nil : Self.statuses[Int(states[ordinal])]
        guard old != status else { return }
        if let old {
            if old.isFinal, status.isFinal { conflicts += 1 }
            guard status.sequence > old.sequence else { return }
            counts[old, default: 0] -= 1
            if Self.settles(old) { settled -= 1 }
        }
        counts[status, default: 0] += 1
        if Self.settles(status) { settled += 1 }
        states[ordinal] = UInt8(Self.statuses.firstIndex(of: status) ?? 0)
    }

    /// Whether a charge has any result at all.
    func hasResult(_ ordinal: Int) -> Bool { states[ordinal] != Self.none }

    /// Whether nothing more is to be waited for.
    func isSettled(_ ordinal: Int) -> Bool {
        states[ordinal] != Self.none && Self.settles(Self.statuses[Int(states[ordinal])])
    }

    /// Statuses that were met, in the order of their listing, with their counts.
    var sorted: [(status: ChargeStatus, count: Int)] {
        Self.statuses.compactMap { status in
            let count = counts[status] ?? 0
            return count > 0 ? (status, count) : nil
        }
    }

    /// Whether a person has to look at some of them.
    var needsAPerson: Bool {
        conflicts > 0 || (counts[.parked] ?? 0) > 0 || (counts[.refused] ?? 0) > 0
    }

    /// Parked is for a person, refused is the last word on this message; only `unknown` is looked up further.
    private static func settles(_ status: ChargeStatus) -> Bool { status != .unknown }
}
