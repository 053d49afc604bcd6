internal import ChargeWire
internal import Charging
internal import EventLoop
internal import HTTPServer
internal import Messaging
internal import Settings
internal import Telemetry

/// All of an API on its loop: listeners, broker connections, the calls.
final class APIServer {
    private let loop: Loop
    private let settings: ChargelineSettings
    private let onFault: @Sendable (String) -> Void
    private let report: APIReport
    private let broker: BrokerSide
    private let door: FrontDoor
    private var listener: HTTPListener?
    private var admin: HTTPListener?
    private var flushing: TurnAction?
    private var asking: LoopTimer?
    /// Called when the broker is to be asked for the workers: answer by calling `askForWorkers` in a task.
    var onAskForWorkers: (() -> Void)?
    private var isDraining = false
    private var haveBeenUp: Set<String> = []
    private var hasFault = false

    init(
        loop: Loop, settings: ChargelineSettings, log: Log, onFault: @escaping @Sendable (String) -> Void
    ) throws(APIFault) {
        self.loop = loop
        self.settings = settings
        self.onFault = onFault
        report = APIReport(log: log, lanes: settings.lanes)
        broker = try BrokerSide(loop: loop, settings: settings) { Double.random(in: 0..<1) }
        let flow: Flow = settings.stripeFlow == .charges ? .charges : .paymentIntents
        let callers = Callers(settings.apiKeys)
        door = FrontDoor(
            loop: loop, broker: broker, report: report,
            intake: Intake(flow: flow, lanes: settings.lanes, callersAreMany: callers.areMany), callers: callers,
            waitMax: settings.waitMax.milliseconds)
    }

    func start() throws(APIFault) {
        guard let address = settings.listen else { throw APIFault("CHARGELINE_LISTEN is not set") }
        guard address.isLoopback || !settings.apiKeys.isEmpty else {
            throw APIFault("CHARGELINE_API_KEYS is not set, and CHARGELINE_LISTEN=\(address) is open to others")
        }
        let routes = routes
        listener = try listen("CHARGELINE_LISTEN", address, head: { [unowned self] in head($0) }, routes)
        listener?.tooLarge = { [unowned self] exchange, limit in
            let problem = Problem(.tooLarge, "the body may have at most \(limit) bytes")
            let requestID = door.requestID(exchange)
            report.problem(problem, requestID: requestID, caller: nil)
            return problem.response(requestID: requestID).with("X-Request-Id", requestID)
        }
        if let address = settings.adminListen {
            do throws(APIFault) {
                admin = try listen("CHARGELINE_ADMIN_LISTEN", address, head: nil, adminRoutes)
            } catch {
                listener?.stop()
                throw error
            }
        }
        declareGauges()
        flushing = loop.beforeEachWait { [unowned self] in report.flush() }
        broker.onResult = { [unowned self] in door.seen($0, $1) }
        broker.onUnreadable = { [unowned self] in report.unreadable($0) }
        broker.onState = { [unowned self] in linkChanged($0, $1) }
        asking = loop.makeTimer { [unowned self] in onAskForWorkers?() }
        broker.start()
        onAskForWorkers?()
        report.starting(port: port, adminPort: admin?.port, keys: settings.apiKeys.count)
    }

    var port: UInt16 { listener?.port ?? 0 }
    var adminPort: UInt16 { admin?.port ?? 0 }
    var isReady: Bool { checks.allSatisfy(\.isGood) }

    func askForWorkers() async {
        guard let lane = settings.lanes.first else { return }
        await broker.askForWorkers(lane: lane)
        // While none is seen buyers are turned away: the first one must be seen soon.
        let isNoneSeen = broker.workers == 0
        if !isDraining { asking?.arm(after: isNoneSeen ? 100_000_000 : 1_000_000_000) }
    }

    func replaceKeys(_ keys: [APIKey]) {
        // Whether ids begin with their caller's stays as it was at the start: it names charges that are under way.
        door.callers = Callers(keys)
        report.keysReplaced(keys.count)
    }

    func drain() async {
        guard !isDraining else { return }
        isDraining = true
        report.draining(waiting: door.waiting)
        let nanoseconds = settings.drain.milliseconds * 1_000_000
        door.hurry(nanoseconds: nanoseconds - min(1_000_000_000, nanoseconds / 2))
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            guard let listener else { return done.resume() }
            listener.drain(nanoseconds: nanoseconds) { done.resume() }
        }
        await broker.close()
        asking?.disarm()
        asking = nil
        onAskForWorkers = nil
        admin?.stop()
        flushing?.cancel()
        report.drained()
        report.drainLog()
    }

    // MARK: Routes

    private var routes: HTTPRouter {
        let router = HTTPRouter()
        router.on("POST", "/v1/charges") { [unowned self] exchange, _ in door.create(exchange, .charges) }
        router.on("POST", "/charge") { [unowned self] exchange, _ in door.create(exchange, .charge) }
        router.on("GET", "/v1/charges/{id}") { [unowned self] exchange, values in
            door.find(exchange, values["id"] ?? "")
        }
        router.on("GET", "/openapi.json") { [unowned self] exchange, _ in
            door.send(exchange, HTTPResponse(200, json: OpenAPI.document), "other", door.requestID(exchange), nil)
        }
        router.on("GET", "/problems/{name}") { [unowned self] exchange, values in
            guard let name = values["name"].flatMap(Problem.Name.init) else { return notFound(exchange) }
            let page = HTTPResponse(200, text: "\(name.title)\n\n\(name.explanation)\n")
            door.send(exchange, page, "other", door.requestID(exchange), nil)
        }
        router.notFound = { [unowned self] in problem($0, .notFound, "there is nothing at this path") }
        router.methodNotAllowed = { [unowned self] exchange, allowed in
            problem(exchange, .methodNotAllowed, "this path takes \(allowed.joined(separator: ", "))")
        }
        return router
    }

    private func notFound(_ exchange: HTTPExchange) {
        exchange.respond(problem(exchange, .notFound, "there is no such problem"))
    }

    private func problem(_ exchange: HTTPExchange, _ name: Problem.Name, _ detail: String) -> HTTPResponse {
        let problem = Problem(name, detail)
        let requestID = door.requestID(exchange)
        report.problem(problem, requestID: requestID, caller: nil)
        report.answered(exchange, "other", name.status, requestID: requestID, id: nil)
        return problem.response(requestID: requestID).with("X-Request-Id", requestID)
    }

    private var adminRoutes: HTTPRouter {
        let router = HTTPRouter()
        HealthRoutes.add(
            to: router, checks: { [unowned self] in checks }, metrics: { [unowned self] in report.metrics.text() })
        return router
    }

    /// A body is not read for a caller without a key.
    private func head(_ exchange: HTTPExchange) -> HTTPHead {
        guard exchange.method == "POST", callers(exchange) == nil else { return .read(bodyBytes: FrontDoor.bodyBytes) }
        let requestID = door.requestID(exchange)
        report.problem(FrontDoor.noKey, requestID: requestID, caller: nil)
        report.answered(exchange, "other", 401, requestID: requestID, id: nil)
        return .refuse(FrontDoor.noKey.response(requestID: requestID).with("X-Request-Id", requestID))
    }

    private func callers(_ exchange: HTTPExchange) -> Caller? {
        door.callers.identify(authorization: exchange.header("Authorization"))
    }

    private func listen(
        _ setting: String, _ address: HostPort, head: ((HTTPExchange) -> HTTPHead)?, _ router: HTTPRouter
    ) throws(APIFault) -> HTTPListener {
        do {
            return try HTTPListener(
                loop: loop, address: HTTPAddress(host: address.host, port: address.port), head: head
            ) { router.route($0) }
        } catch {
            throw APIFault("\(setting): \(error)")
        }
    }

    // MARK: Health

    private var checks: [HealthCheck] {
        [
            HealthCheck("charges", isGood: broker.isReady, broker.publishingState.words),
            HealthCheck("results", isGood: broker.seesResults, broker.watchingState.words),
            HealthCheck("draining", isGood: !isDraining, isDraining ? "yes" : "no"),
        ]
    }

    private func declareGauges() {
        report.metrics.gauge("chargeline_api_ready", "1 while charges are taken.") { [unowned self] in
            isReady ? 1 : 0
        }
        report.metrics.gauge("chargeline_api_waiting", "Clients that wait for a result.") { [unowned self] in
            Double(door.waiting)
        }
        report.metrics.gauge("chargeline_api_connections", "HTTP connections.") { [unowned self] in
            listener.map { Double($0.connectionCount) }
        }
        report.metrics.gauge("chargeline_api_workers", "Consumers of the default lane.") { [unowned self] in
            broker.workers.map(Double.init)
        }
    }

    private func linkChanged(_ name: StaticString, _ state: LinkState) {
        report.link(name, state)
        if case .blocked = state { door.brokerBlocked() }
        if state.isUp { haveBeenUp.insert(name.description) }
        // A charge may come the next moment, and a buyer not be kept waiting for nobody.
        if state == .ready, broker.isReady { asking?.arm(after: 0) }
        // A wrong password, permission or argument ends the process only while this link has never worked: later it
        // waits for the mend.
        if case .refused(let problem) = state, !haveBeenUp.contains(name.description), !hasFault {
            hasFault = true
            onFault(problem.line)
        }
    }
}
