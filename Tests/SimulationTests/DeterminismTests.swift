import SimulationKit
import Testing

/// A run is a function of its seed: without this no failure could be seen again.
@Suite struct DeterminismTests {
    @Test(arguments: [UInt64(1), 5, 1001, 2001, 3001, 4001])
    func `a seed tells the same story every time`(seed: UInt64) {
        let told = Simulation.story(seed: seed)
        for _ in 0..<2 {
            let again = Simulation.story(seed: seed)
            #expect(again.story == told.story)
            #expect(again.fingerprint == told.fingerprint)
        }
        #expect(Simulation.run(seed: seed).fingerprint == told.fingerprint, "the words change nothing")
    }

    @Test func `another seed tells another story`() {
        let options = SimulationOptions(charges: 5)
        let fingerprints = Set((UInt64(1)...60).map { Simulation.run(seed: $0, options: options).fingerprint })
        #expect(fingerprints.count == 60)
    }
}
