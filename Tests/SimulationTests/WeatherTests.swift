import Charging
import SimulationKit
import Testing

/// One trouble at a time, and what it may cost.
@Suite struct WeatherTests {
    @Test func `in calm weather every charge succeeds at its first send`() {
        let totals = run { _ in }
        #expect(totals.sends == 200)
        #expect(totals.moved == 200)
        #expect(totals.paid == 200)
        #expect(totals.parked.isEmpty)
    }

    @Test func `an outage of the key costs nobody a charge`() {
        expectAllPaid { $0.keyOutages = 2 }
    }

    @Test func `Stripe answering 503 for minutes costs nobody a charge`() {
        expectAllPaid { $0.storms = 2 }
    }

    @Test func `a broken way to Stripe costs nobody a charge`() {
        expectAllPaid {
            $0.notSent = 0.3
            $0.resetBefore = 0.2
            $0.resetAfter = 0.2
        }
    }

    @Test func `a broker that comes and goes costs nobody a charge`() {
        expectAllPaid {
            $0.restarts = 5
            $0.wordLost = 0.1
        }
    }

    @Test func `workers that end and start costs nobody a charge`() {
        expectAllPaid { $0.drains = 10 }
    }

    private func expectAllPaid(_ trouble: @escaping @Sendable (inout Weather) -> Void) {
        let totals = run(trouble)
        #expect(totals.moved == 200)
        #expect(totals.paid >= 200)
        #expect(totals.parked.isEmpty)
        #expect(totals.results[.notCharged] == nil)
    }

    /// Four seeds of fifty charges in calm weather but for this.
    private func run(_ trouble: @escaping @Sendable (inout Weather) -> Void) -> SimulationTotals {
        var options = SimulationOptions()
        options.weather = {
            $0.calm()
            $0.spread = 10 * Weather.minute
            trouble(&$0)
        }
        var totals = SimulationTotals()
        for seed in UInt64(1)...4 {
            let report = Simulation.run(seed: seed, options: options)
            #expect(report.violation == nil, "seed \(seed)")
            totals.add(report.totals)
        }
        return totals
    }
}

extension SimulationTotals {
    fileprivate var paid: Int { results[.succeeded, default: 0] + results[.authorized, default: 0] }
}
