import FoundationEssentials

/// What the environment asks of the tests that are run by hand.
enum Knobs {
    /// `CHARGELINE_SEED`: the seed to begin with.
    static var seed: UInt64? { number("CHARGELINE_SEED") }
    /// `CHARGELINE_SIM_SEEDS`: how many.
    static var count: UInt64? { number("CHARGELINE_SIM_SEEDS") }
    /// `CHARGELINE_CHARGES`: charges in each.
    static var charges: Int { number("CHARGELINE_CHARGES").map { Int($0) } ?? 50 }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
}
