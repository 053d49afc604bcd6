import Foundation
import SimulationKit
import Testing

/// The promises, seed by seed: the real life of charges against a broker, a Stripe and workers that fail.
@Suite struct SeedTests {
    static let environment = ProcessInfo.processInfo.environment
    /// One seed to see again, or where a long run begins.
    static let asked = environment["CHARGELINE_SEED"].flatMap { UInt64($0) }

    private func run(_ seeds: some Sequence<UInt64>) {
        for seed in seeds {
            let report = Simulation.run(seed: seed)
            guard report.violation != nil else { continue }
            Issue.record("\(Simulation.story(seed: seed).explanation(filter: "SeedTests"))")
        }
    }

    /// The same thousand in every run, so that a change shows.
    @Test(.enabled(if: asked == nil), arguments: 0..<20)
    func `a thousand seeds of fifty charges keep every promise`(block: UInt64) {
        run(block * 50 + 1...block * 50 + 50)
    }

    /// Another forty in every run, so that the thousand are not all that is ever tried.
    @Test(.enabled(if: asked == nil))
    func `so do forty that nobody has seen`() {
        let first = UInt64.random(in: 1_000_000...UInt64(Int64.max))
        run(first...first + 39)
    }

    @Test(.enabled(if: asked != nil && environment["CHARGELINE_SIM_SEEDS"] == nil))
    func `the seed that was asked for`() {
        let report = Simulation.story(seed: Self.asked ?? 1)
        print(report.explanation(filter: "SeedTests"))
        #expect(report.violation == nil)
    }

    /// CHARGELINE_SIM_SEEDS=100000 [CHARGELINE_SEED=1] swift test -c release --filter SeedTests
    @Test(.enabled(if: environment["CHARGELINE_SIM_SEEDS"] != nil))
    func `as many seeds as were asked for`() throws {
        let count = try #require(Self.environment["CHARGELINE_SIM_SEEDS"].flatMap { UInt64($0) })
        let first = Self.asked ?? 1
        let time = ContinuousClock().measure { run(first..<first + count) }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        print("\(count) seeds from \(first) in \(Int(seconds)) s: \(Int(Double(count) / seconds * 60)) a minute")
    }
}
