import SimulationKit
import Testing

/// The audit can fail: each of these faults breaks a promise, and is found.
@Suite struct MutationTests {
    @Test(.enabled(if: SeedTests.asked == nil), arguments: Mutation.all)
    func `is found`(mutation: Mutation) {
        var options = SimulationOptions()
        options.mutation = mutation
        for seed in UInt64(1)...400 {
            guard let violation = Simulation.run(seed: seed, options: options).violation else { continue }
            print("mutation \"\(mutation)\": found at seed \(seed): \(violation)")
            return
        }
        Issue.record("\(mutation): not found in 400 seeds")
    }
}
