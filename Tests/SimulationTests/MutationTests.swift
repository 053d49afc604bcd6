import SimulationKit
import TestSupport
import Testing

/// The simulation can fail: each of these faults, built into the life of a charge, is found within a few seeds.
@Suite struct MutationTests {
    @Test(arguments: Mutation.all.indices)
    func `a fault is found`(index: Int) async {
        let mutation = Mutation.all[index]
        let found = await Labour.run { () -> String? in
            var options = SimulationOptions()
            options.mutation = mutation
            for seed in UInt64(1)...60 {
                guard let violation = Simulation.run(seed: seed, options: options).violation else { continue }
                return "seed \(seed): \(violation)"
            }
            return nil
        }
        #expect(found != nil, "\(mutation.name): not found in 60 seeds")
        print("\(mutation.name): \(found ?? "not found")")
    }
}
