internal import Charging
internal import HTTPServer
internal import Messaging
internal import Settings
internal import Telemetry

/// Health and metrics of a worker.
extension Worker {
    /// Serves the admin calls where an address is configured.
    func serveAdmin() throws(WorkerFault) {
        guard let address = settings.adminListen else { return }
        let router = HTTPRouter()
        HealthRoutes.add(
            to: router, checks: { [unowned self] in checks },
            metrics: { [unowned self] in report.metrics.text() })
        do {
            listener = try HTTPListener(
                loop: loop, address: HTTPAddress(host: address.host, port: address.port)
            ) { router.route($0) }
        } catch {
            throw WorkerFault("CHARGELINE_ADMIN_LISTEN: \(error)")
        }
    }

    private var checks: [HealthCheck] {
        let consumers = settings.lanes.count * 2
        var list = [
            HealthCheck("results", isGood: publishing.state == .ready, words(publishing.state)),
            HealthCheck("charges", isGood: consuming.state.isUp, "\(words(consuming.state)), \(consumers) consumers"),
            HealthCheck("draining", isGood: !traffic.isDraining, traffic.isDraining ? "yes" : "no"),
        ]
        // Stripe being away is no reason to take a worker out: another would fare no better. A wrong key is.
        if case .open(let reason) = traffic.breaker.state {
            var isOurs = false
            if case .operatorNeeded = reason { isOurs = true }
            list.append(HealthCheck("stripe", isGood: !isOurs, reason.text))
        } else {
            list.append(HealthCheck("stripe", isGood: true, "called"))
        }
        if traffic.areResultsRefused {
            list.append(HealthCheck("results_taken", isGood: false, "the broker refuses them"))
        }
        return list
    }

    private func words(_ state: LinkState) -> String {
        state.problem?.description ?? "\(state)"
    }
}
