import SimulationKit
import Testing

/// Run by hand: one seed with its whole story, or as many as wanted, with their rate.
@Suite struct ReplayTests {
    @Test(.enabled(if: Knobs.seed != nil && Knobs.count == nil))
    func `one seed`() throws {
        let seed = try #require(Knobs.seed)
        let report = Simulation.story(seed: seed, options: SimulationOptions(charges: Knobs.charges))
        print(report.story.joined(separator: "\n"))
        print(report.totals.text)
        if report.violation != nil { Issue.record("\(report.explanation(charges: Knobs.charges))") }
    }

    @Test(.enabled(if: Knobs.count != nil))
    func `many seeds`() throws {
        let first = Knobs.seed ?? 1
        let count = try #require(Knobs.count)
        let options = SimulationOptions(charges: Knobs.charges)
        var totals = SimulationTotals()
        let time = ContinuousClock().measure {
            for seed in first..<first + count {
                let report = Simulation.run(seed: seed, options: options)
                totals.add(report.totals)
                guard report.violation != nil else { continue }
                Issue.record("\(Simulation.story(seed: seed, options: options).explanation(charges: Knobs.charges))")
            }
        }
        let rate = Int(Double(count) * 60 / (time / .seconds(1)))
        print("\(count) seeds of \(Knobs.charges) charges from \(first): \(rate) seeds a minute")
        print(totals.text)
    }
}
