public import Charging

/// What a run is asked for.
public struct SimulationOptions: Sendable {
    /// Charges in it.
    public var charges: Int
    /// Keeps the words of the story.
    public var tells = false
    /// A fault built into the life of a charge, which the audit must find.
    public var mutation: Mutation?

    /// Changes the weather that the seed drew.
    package var weather: (@Sendable (inout Weather) -> Void)?
    /// The age rules of the workers.
    package var rules = SendRules()

    /// The usual: 50 charges.
    public init(charges: Int = 50) {
        self.charges = charges
    }

    func drawWeather(_ random: inout SplitMix64) -> Weather {
        var drawn = Weather(charges: charges, &random)
        weather?(&drawn)
        mutation?.weather?(&drawn)
        return drawn
    }
}

/// A simulated run of the life of charges.
public enum Simulation {
    /// Runs a seed to its end on the calling thread.
    public static func run(seed: UInt64, options: SimulationOptions = SimulationOptions()) -> SimulationReport {
        let world = World(seed: seed, options: options)
        let audit: Audit = world.audit
        world.run()
        return SimulationReport(
            seed: seed, violation: audit.violation, fingerprint: world.story.fingerprint, totals: audit.totals,
            story: world.story.lines)
    }

    /// The story of a seed, told by running it again.
    public static func story(seed: UInt64, options: SimulationOptions = SimulationOptions()) -> SimulationReport {
        var options = options
        options.tells = true
        return run(seed: seed, options: options)
    }
}

/// What came of a run.
public struct SimulationReport: Sendable {
    /// The run's seed.
    public let seed: UInt64
    /// The first promise broken; nil when all held.
    public let violation: String?
    /// Equal for equal histories.
    public let fingerprint: UInt64
    /// Counts.
    public let totals: SimulationTotals
    /// The lines of the story, where it was told.
    public let story: [String]

    /// What somebody reads whose run failed: the sentence, the story of the charge concerned, the way to see it again.
    public func explanation(charges: Int) -> String {
        let name = violation?.prefix { $0 != ":" } ?? ""
        let about = story.filter { line in
            !line.contains("order-") || line.contains(name + " ") || !name.hasPrefix("order-")
        }
        return """
            seed \(seed): \(violation ?? "all promises held")
            \(about.suffix(150).joined(separator: "\n"))
            The whole story: CHARGELINE_SEED=\(seed) CHARGELINE_CHARGES=\(charges) swift test --filter ReplayTests
            """
    }
}

/// Counts of a run, or of many.
public struct SimulationTotals: Sendable {
    /// Messages.
    public var submitted = 0
    /// Visits that came to an end.
    public var visits = 0
    /// Sends that may move money.
    public var sends = 0
    /// Payments that moved money.
    public var moved = 0
    /// By status, duplicates included.
    public var results: [ChargeStatus: Int] = [:]
    /// By reason.
    public var parked: [String: Int] = [:]

    /// No counts.
    public init() {}

    /// Adds those of another run.
    public mutating func add(_ other: SimulationTotals) {
        submitted += other.submitted
        visits += other.visits
        sends += other.sends
        moved += other.moved
        results.merge(other.results, uniquingKeysWith: +)
        parked.merge(other.parked, uniquingKeysWith: +)
    }

    /// One line.
    public var text: String {
        let said = ChargeStatus.allCases.compactMap { status in results[status].map { "\(status.rawValue) \($0)" } }
        let reasons = parked.keys.sorted().map { "\($0) \(parked[$0, default: 0])" }
        return "messages \(submitted), visits \(visits), sends \(sends), moved \(moved); "
            + said.joined(separator: ", ") + "; parked: " + reasons.joined(separator: ", ")
    }
}
