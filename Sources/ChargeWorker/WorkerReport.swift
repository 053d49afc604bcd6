internal import Charging
internal import Messaging
internal import Settings
internal import Telemetry

/// What a worker tells those who run it: one log line an outcome with fixed fields, lines for what it does, and its
/// metrics.
final class WorkerReport {
    private let log: Log
    let metrics = Metrics()
    private let outcomes: MetricFamily<Counter>
    private let parked: MetricFamily<Counter>
    private let waits: Counter
    private let givenBack: Counter
    private let left: Counter
    private let visitSeconds: Histogram
    private let totalSeconds: Histogram
    private let inFlightGauge: Gauge
    private let waitingGauge: Gauge
    private let readyGauge: Gauge
    private let breakerGauge: Gauge
    private let operatorStops: Counter
    private var lastReady = false

    init(log: Log, lanes: [String]) {
        self.log = log
        let statuses = ChargeStatus.allCases.map(\.rawValue)
        outcomes = metrics.counters(
            "chargeline_results_total", "Results published, by lane and status.",
            MetricLabel("lane", lanes), MetricLabel("status", statuses))
        parked = metrics.counters(
            "chargeline_parked_total", "Messages parked, by reason.",
            MetricLabel("reason", ParkReason.allCases.map(\.rawValue)))
        waits = metrics.counter("chargeline_waits_total", "Charges sent to a wait queue.")
        givenBack = metrics.counter("chargeline_given_back_total", "Charges given back to the broker unsent.")
        left = metrics.counter("chargeline_left_total", "Deliveries left to the broker because their channel had gone.")
        let buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
        visitSeconds = metrics.histogram(
            "chargeline_visit_seconds", "From a charge's slot to its disposition.", bounds: buckets)
        totalSeconds = metrics.histogram(
            "chargeline_charge_seconds", "From acceptance to a final result.",
            bounds: buckets + [300, 1800, 7200, 43_200, 86_400])
        inFlightGauge = metrics.gauge("chargeline_in_flight", "Charges that hold a slot.")
        waitingGauge = metrics.gauge("chargeline_waiting", "Deliveries that wait for a slot in the process.")
        readyGauge = metrics.gauge("chargeline_ready", "1 while charges can be worked on.")
        breakerGauge = metrics.gauge("chargeline_breaker_open", "1 while Stripe is not called.")
        operatorStops = metrics.counter(
            "chargeline_operator_asked_total", "Answers that point to a key, a setting or a certificate.")
    }

    // MARK: Outcomes

    /// One line a visit, whatever its end.
    func ended(_ delivery: ChargeDelivery, _ disposition: Disposition, nanoseconds: Int64, wall: Int64) {
        visitSeconds.observe(Double(nanoseconds) / 1e9)
        switch disposition {
        case .answered(let result): answered(result, nanoseconds)
        case .waits(let tier, let phase):
            waits.increment()
            line(delivery, "waits", nanoseconds, .text("delay", tier.name), .text("phase", phase.rawValue))
        case .parked(let reason):
            parked[reason.rawValue].increment()
            log.warning(
                "charge", .text("id", delivery.messageID), .text("lane", delivery.lane), .text("outcome", "parked"),
                .text("reason", reason.rawValue), .int("ms", nanoseconds / 1_000_000))
        case .givenBack:
            givenBack.increment()
            if log.writes(.debug) { line(delivery, "given_back", nanoseconds) }
        case .left:
            left.increment()
            line(delivery, "left", nanoseconds)
        }
    }

    private func answered(_ result: ChargeResult, _ nanoseconds: Int64) {
        outcomes[result.lane, result.status.rawValue].increment()
        if let accepted = result.acceptedAt {
            totalSeconds.observe(Double(max(0, result.completedAt - accepted)) / 1000)
        }
        guard log.writes(.info) else { return }
        log.info(
            "charge", .text("id", result.id.text), .text("lane", result.lane),
            .text("outcome", result.status.rawValue), .int("attempts", result.attempts),
            .int("ms", nanoseconds / 1_000_000), .int("age_ms", result.acceptedAt.map { result.completedAt - $0 }),
            .text("request_id", result.stripe.requestID), .flag("replayed", result.replayed ? true : nil),
            .text("code", result.failure?.code), .text("decline_code", result.failure?.declineCode),
            .text("param", result.failure?.param))
    }

    private func line(_ delivery: ChargeDelivery, _ outcome: String, _ nanoseconds: Int64, _ further: LogField...) {
        log.write(
            .info, "charge",
            [
                .text("id", delivery.messageID), .text("lane", delivery.lane), .text("outcome", outcome),
                .int("attempts", delivery.headers.attempts), .int("ms", nanoseconds / 1_000_000),
            ] + further)
    }

    func inFlight(_ count: Int, waiting: Int) {
        inFlightGauge.set(Double(count))
        waitingGauge.set(Double(waiting))
    }

    // MARK: The worker itself

    func starting(_ settings: ChargelineSettings, adminPort: UInt16?) {
        log.info(
            "worker_starting", .int("admin_port", adminPort.map { Int64($0) }),
            .text("lanes", settings.lanes.joined(separator: ",")), .int("in_flight", settings.inFlight),
            .number("stripe_rate", settings.stripeRateShare), .text("stripe_flow", settings.stripeFlow.rawValue),
            .text("stripe_base", settings.stripeBase.description))
    }

    func link(_ name: String, _ state: LinkState) {
        switch state {
        case .idle, .connecting, .closed: log.debug("broker", .text("link", name), .text("state", "\(state)"))
        case .ready: log.info("broker", .text("link", name), .text("state", "ready"))
        case .blocked(let why):
            log.warning("broker", .text("link", name), .text("state", "blocked"), .text("reason", why))
        case .lost(let problem):
            log.warning("broker", .text("link", name), .text("state", "lost"), .text("reason", problem.description))
        case .refused(let problem):
            log.error("broker", .text("link", name), .text("state", "refused"), .text("reason", problem.description))
        }
    }

    func consumerCancelled(_ queue: String) {
        log.error(
            "consumer_cancelled", .text("queue", queue),
            .text("reason", "the broker ended the consumer: is its queue deleted? see chargeline topology check"))
    }

    func breaker(_ state: Breaker.State, isDraining: Bool) {
        switch state {
        case .open(let reason):
            breakerGauge.set(1)
            log.warning("stripe_stopped", .text("reason", reason.text))
        case .trial:
            breakerGauge.set(0)
            log.info("stripe_trial")
        case .closed where !isDraining:
            breakerGauge.set(0)
            log.info("stripe_full_rate")
        case .ramp, .closed: breakerGauge.set(0)
        }
    }

    func probed(_ fault: String?) {
        if let fault { log.warning("stripe_probe", .text("reason", fault)) } else { log.info("stripe_probe") }
    }

    func operatorAsked(_ what: String) {
        operatorStops.increment()
        log.error("operator_needed", .text("reason", what))
    }

    func keyReplaced() { log.info("key_replaced") }

    func clockJumped(milliseconds: Int64) {
        log.warning("clock_jumped", .int("ms", milliseconds))
    }

    func ready(_ isReady: Bool) {
        guard isReady != lastReady else { return }
        lastReady = isReady
        readyGauge.set(isReady ? 1 : 0)
        if isReady { log.info("worker_ready") } else { log.warning("worker_not_ready") }
    }

    func drained(left count: Int) {
        if count > 0 { log.warning("worker_drained", .int("left", count)) } else { log.info("worker_drained") }
        log.drain()
    }

    /// Passes on the lines of this turn of the loop.
    func flush() { log.flush() }
}
