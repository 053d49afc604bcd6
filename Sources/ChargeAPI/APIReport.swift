internal import Charging
internal import HTTPServer
internal import Messaging
internal import Telemetry

/// What the API tells those who run it: log lines and metrics.
final class APIReport {
    let metrics = Metrics()
    private let log: Log
    private let requests: MetricFamily<Counter>
    private let accepted: MetricFamily<Counter>
    private let publishes: MetricFamily<Counter>
    private let results: MetricFamily<Counter>
    private let contradictions: Counter
    private let hangUps: Counter
    private let confirmSeconds: Histogram
    private let waitSeconds: Histogram

    private static let codes = [200, 202, 400, 401, 402, 404, 405, 409, 413, 415, 422, 503].map(String.init)
    static let calls = ["charge", "charges", "charge_get", "other"]

    init(log: Log, lanes: [String]) {
        self.log = log
        requests = metrics.counters(
            "chargeline_api_requests_total", "Requests answered, by call and HTTP status.",
            MetricLabel("call", Self.calls), MetricLabel("code", Self.codes))
        accepted = metrics.counters(
            "chargeline_api_accepted_total", "Charges that the broker has confirmed, by lane.",
            MetricLabel("lane", lanes))
        publishes = metrics.counters(
            "chargeline_api_publishes_total", "What became of publishes.",
            MetricLabel("outcome", ["confirmed", "nacked", "returned", "not_sent", "lost"]))
        results = metrics.counters(
            "chargeline_api_results_seen_total", "Results seen, by status.",
            MetricLabel("status", ChargeStatus.allCases.map(\.rawValue)))
        contradictions = metrics.counter(
            "chargeline_api_contradictions_total", "Two different final results seen for one charge: an alarm.")
        hangUps = metrics.counter("chargeline_api_hang_ups_total", "Clients that went away while they waited.")
        confirmSeconds = metrics.histogram(
            "chargeline_api_confirm_seconds", "From a request's body to the broker's confirm.")
        waitSeconds = metrics.histogram("chargeline_api_wait_seconds", "From a waiting request's body to its answer.")
    }

    func flush() { log.flush() }
    func drainLog() { log.drain() }

    // MARK: Requests

    func answered(_ exchange: HTTPExchange, _ call: StaticString, _ status: Int, requestID: String, id: ChargeID?) {
        requests[call.description, "\(status)"].increment()
        guard log.writes(.debug) else { return }
        log.debug(
            "request", .text("method", exchange.method), .text("call", call.description), .int("status", status),
            .text("id", id?.text), .text("request_id", requestID))
    }

    func problem(_ problem: Problem, requestID: String, caller: Caller?) {
        log.warning(
            "problem", .text("problem", problem.name.rawValue), .int("status", problem.name.status),
            .text("detail", problem.detail), .text("id", problem.id),
            .text("caller", caller.flatMap { $0.id.isEmpty ? nil : $0.id }),
            .text("request_id", requestID))
    }

    func hungUp(_ id: ChargeID) {
        hangUps.increment()
        log.debug("hung_up", .text("id", id.text))
    }

    // MARK: Charges and results

    func published(_ outcome: PublishOutcome, lane: String, nanoseconds: Int64) {
        let word =
            switch outcome {
            case .confirmed: "confirmed"
            case .nacked: "nacked"
            case .returned: "returned"
            case .notSent: "not_sent"
            case .lost: "lost"
            }
        publishes[word].increment()
        guard outcome == .confirmed else { return }
        accepted[lane].increment()
        confirmSeconds.observe(Double(nanoseconds) / 1e9)
    }

    func waited(nanoseconds: Int64) { waitSeconds.observe(Double(nanoseconds) / 1e9) }

    func saw(_ result: ChargeResult, _ reception: ResultBook.Reception) {
        results[result.status.rawValue].increment()
        guard reception == .contradiction else { return }
        contradictions.increment()
        log.error("contradiction", .text("id", result.id.text), .text("event", result.event))
    }

    func unreadable(_ why: String) { log.warning("unreadable_result", .text("reason", why)) }

    // MARK: The API itself

    func starting(port: UInt16, adminPort: UInt16?, keys: Int) {
        log.info(
            "api_started", .int("port", Int(port)), .int("admin_port", adminPort.map { Int64($0) }),
            .int("api_keys", keys))
    }

    func link(_ name: StaticString, _ state: LinkState) {
        switch state {
        case .idle, .connecting, .closed:
            log.debug("broker", .text("link", name.description), .text("state", "\(state)"))
        case .ready: log.info("broker", .text("link", name.description), .text("state", "ready"))
        case .blocked, .lost, .refused:
            log.warning("broker", .text("link", name.description), .text("state", "away"), .text("reason", state.words))
        }
    }

    func keysReplaced(_ count: Int) { log.info("api_keys_replaced", .int("api_keys", count)) }
    func draining(waiting: Int) { log.info("draining", .int("waiting", waiting)) }
    func drained() { log.info("drained") }
}
