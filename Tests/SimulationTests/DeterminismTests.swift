import SimulationKit
import Testing

/// A run is a function of its seed: without this no failure could be seen again.
@Suite struct DeterminismTests {
    @Test(arguments: [UInt64(1), 1001, 2001, 3001])
    func `a seed tells the same story every time`(first: UInt64) {
        for seed in first..<first + 2 {
            let told = Simulation.story(seed: seed)
            for _ in 0..<2 {
                let again = Simulation.story(seed: seed)
                #expect(again.story == told.story, "seed \(seed)")
                #expect(again.fingerprint == told.fingerprint, "seed \(seed)")
            }
            // The words change nothing.
            #expect(Simulation.run(seed: seed).fingerprint == told.fingerprint, "seed \(seed)")
        }
    }

    @Test func `another seed tells another story`() {
        let fingerprints = Set((UInt64(1)...20).map { Simulation.run(seed: $0).fingerprint })
        #expect(fingerprints.count == 20)
    }
}
