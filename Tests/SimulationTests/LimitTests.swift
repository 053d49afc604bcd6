import Charging
import SimulationKit
import Testing

/// The one documented limit, shown: the same id submitted anew more than twelve hours later, with a payment method that
/// pays more than once.
@Suite struct LimitTests {
    private func run(hours: Int64, searchesReusable: Bool) -> SimulationReport {
        var options = SimulationOptions(charges: 10)
        options.weather = {
            $0.calm()
            $0.paysReusably = true
            $0.submitsAgainAfter = hours * Weather.hour
        }
        options.rules.searchesReusable = searchesReusable
        return Simulation.run(seed: 1, options: options)
    }

    @Test func `a day later Stripe has forgotten the key`() {
        let report = run(hours: 25, searchesReusable: false)
        #expect(report.violation?.hasSuffix("it is charged twice") == true)
    }

    @Test func `searching before every such send closes it`() {
        #expect(run(hours: 25, searchesReusable: true).violation == nil)
    }

    @Test func `within twelve hours the key answers`() {
        #expect(run(hours: 12, searchesReusable: false).violation == nil)
    }
}
