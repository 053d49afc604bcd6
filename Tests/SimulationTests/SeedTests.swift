import SimulationKit
import TestSupport
import Testing

/// The life of a charge in a thousand worlds: the same ones every time, and some that nobody has seen before.
@Suite struct SeedTests {
    @Test(arguments: 0..<50)
    func `all promises hold in a thousand worlds of fifty charges`(block: Int) async {
        await run(UInt64(block * 20 + 1)..<UInt64(block * 20 + 21), charges: 50)
    }

    @Test func `all promises hold in worlds that nobody has seen`() async {
        let first = UInt64.random(in: 1_000_000..<UInt64.max / 2)
        print("fresh seeds from \(first)")
        await run(first..<first + 20, charges: 50)
    }

    // Another body under the same id, charged once Stripe had forgotten the key.
    @Test(arguments: [UInt64(535_487)])
    func `all promises hold in worlds that broke one before`(seed: UInt64) async {
        await run(seed..<seed + 1, charges: 50)
    }

    private func run(_ seeds: Range<UInt64>, charges: Int) async {
        let options = SimulationOptions(charges: charges)
        let broken = await Labour.run {
            seeds.filter { Simulation.run(seed: $0, options: options).violation != nil }.map {
                Simulation.story(seed: $0, options: options).explanation(charges: charges)
            }
        }
        for story in broken { Issue.record("\(story)") }
    }
}
