import SimulationKit
import Testing

/// The simulation can fail: each of these faults, built into the life of a charge, is found within a few seeds.
@Suite struct MutationTests {
    @Test(arguments: Mutation.all.indices)
    func `a fault is found`(index: Int) {
        let mutation = Mutation.all[index]
        var options = SimulationOptions()
        options.mutation = mutation
        for seed in UInt64(1)...60 {
            guard let violation = Simulation.run(seed: seed, options: options).violation else { continue }
            print("\(mutation.name): found with seed \(seed): \(violation)")
            return
        }
        Issue.record("\(mutation.name): not found in 60 seeds")
    }
}
