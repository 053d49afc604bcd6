internal import Charging
internal import EventLoop
internal import HTTPServer
internal import Messaging

/// The calls of the API: reads requests, publishes charges, answers.
final class FrontDoor {
    private let loop: Loop
    private let broker: BrokerSide
    private let report: APIReport
    private let intake: Intake
    /// The longest wait, in milliseconds.
    private let waitMax: Int64
    var callers: Callers
    private var book = ResultBook()
    private var room = WaitingRoom()
    /// Published, and neither confirmed nor given up.
    private var unconfirmed: [ObjectIdentifier: PendingCall] = [:]
    private var generator = SystemChance()

    /// Fields of a charge are bounded: 48 pairs of metadata are most of it.
    static let bodyBytes = 256 << 10

    init(loop: Loop, broker: BrokerSide, report: APIReport, intake: Intake, callers: Callers, waitMax: Int64) {
        self.loop = loop
        self.broker = broker
        self.report = report
        self.intake = intake
        self.callers = callers
        self.waitMax = waitMax
    }

    /// How many wait for results.
    var waiting: Int { room.count }

    // MARK: New charges

    /// `POST /v1/charges` and `POST /charge`.
    func create(_ exchange: HTTPExchange, _ kind: PendingCall.Kind) {
        let requestID = requestID(exchange)
        guard let caller = callers.identify(authorization: exchange.header("Authorization")) else {
            return refuse(exchange, Self.noKey, requestID, nil, call: kind.name)
        }
        do throws(Problem) {
            publish(try read(exchange, kind, requestID, caller))
        } catch {
            refuse(exchange, error, requestID, caller, call: kind.name)
        }
    }

    private func read(
        _ exchange: HTTPExchange, _ kind: PendingCall.Kind, _ requestID: String, _ caller: Caller
    ) throws(Problem) -> PendingCall {
        let key = try RequestHeaders.idempotencyKey(exchange.header("Idempotency-Key"))
        var request = try intake.read(
            exchange.body, contentType: exchange.header("Content-Type"), key: key, caller: caller, using: &generator)
        let named = kind == .charges ? exchange.query.first(where: { $0.name == "lane" })?.value : nil
        guard let lane = intake.lane(named: named) else {
            throw Problem(.invalidField, "lane must be one of \(intake.lanes.joined(separator: ", "))")
        }
        let now = LoopClock.wall()
        var wait: Int64?
        switch kind {
        case .charges:
            wait = RequestHeaders.wait(prefer: exchange.header("Prefer")).map { min($0, waitMax / 1000) }
        case .charge:
            try requireWorkers(request.id)
            // What has not been sent then is not sent at all: the buyer has been told nothing, and pays again. Five
            // seconds before the end, so that an answer of Stripe's still finds the buyer.
            let last = now + waitMax - min(5000, waitMax / 2)
            request.notAfter = min(request.notAfter ?? last, last)
        }
        let waitMilliseconds = kind == .charge ? waitMax : wait.map { $0 * 1000 }
        return PendingCall(
            exchange, kind, requestID: requestID, caller: caller, request: request, lane: lane, acceptedAt: now,
            startedAt: LoopClock.monotonic(), waitMilliseconds: waitMilliseconds.flatMap { $0 > 0 ? $0 : nil },
            namedWait: wait)
    }

    /// A buyer waits: where nobody would do the work or see its result, say so at once.
    private func requireWorkers(_ id: ChargeID) throws(Problem) {
        if broker.isReady, !broker.seesResults {
            throw Problem(.unavailable, "the results cannot be seen now: try again", id: id.text, retryAfter: 1)
        }
        if broker.isReady, broker.workers == 0 {
            throw Problem(.noWorker, "no worker is running: try again", id: id.text, retryAfter: 1)
        }
    }

    private func publish(_ call: PendingCall) {
        var headers = ChargeHeaders(accepted: call.acceptedAt)
        if callers.needKeys { headers.caller = call.caller.id }
        headers.traceparent = RequestHeaders.traceparent(call.exchange.header("traceparent"))
        // Before the publish: a result may come before the confirm.
        if let wait = call.waitMilliseconds { startWaiting(call, wait) }
        unconfirmed[ObjectIdentifier(call)] = call
        broker.publish(call.body, id: call.request.id, lane: call.lane, headers: headers) { [self] outcome in
            settled(call, outcome)
        }
    }

    private func startWaiting(_ call: PendingCall, _ milliseconds: Int64) {
        room.add(call)
        call.exchange.onClosed = { [unowned self] end in
            if end != .answered { wentAway(call) }
        }
        let timer = loop.makeTimer { [unowned self] in waitedLongEnough(call) }
        timer.arm(at: call.startedAt + milliseconds * 1_000_000)
        call.timer = timer
    }

    private func settled(_ call: PendingCall, _ outcome: PublishOutcome) {
        report.published(outcome, lane: call.lane, nanoseconds: LoopClock.monotonic() - call.startedAt)
        // Gone already where its caller was told that it is not confirmed.
        guard unconfirmed.removeValue(forKey: ObjectIdentifier(call)) != nil else {
            if outcome == .confirmed { book.queued(call.request.id, lane: call.lane, acceptedAt: call.acceptedAt) }
            return
        }
        if let problem = Self.problem(outcome, id: call.request.id) {
            // A result may have come all the same, or the client may have gone.
            guard call.exchange.isOpen else { return }
            leave(call)
            return refuse(call.exchange, problem, call.requestID, call.caller, call: call.kind.name)
        }
        call.isConfirmed = true
        book.queued(call.request.id, lane: call.lane, acceptedAt: call.acceptedAt)
        if call.waitMilliseconds == nil || call.isOver { answerUnfinished(call) }
    }

    /// The broker takes no more, and confirms what it was sent only once it does again: who waits for that is told now.
    func brokerBlocked() {
        let held = unconfirmed.values
        unconfirmed = [:]
        for call in held where call.exchange.isOpen {
            leave(call)
            if let problem = Self.problem(.lost, id: call.request.id) {
                refuse(call.exchange, problem, call.requestID, call.caller, call: call.kind.name)
            }
        }
    }

    // MARK: Waiting

    /// A result came by.
    func seen(_ result: ChargeResult, _ body: [UInt8]) {
        report.saw(result, book.note(result, body: body))
        for call in room.take(answeredBy: result) {
            leave(call)
            switch call.kind {
            case .charges: answer(call, ChargeAnswer.result(result.status, id: result.id, body: body))
            case .charge: answer(call, BuyerAnswer.result(result))
            }
        }
    }

    /// Shortens every wait to at most this, because the process is to end.
    func hurry(nanoseconds: Int64) {
        let last = LoopClock.monotonic() + nanoseconds
        for call in room.all where call.startedAt + (call.waitMilliseconds ?? 0) * 1_000_000 > last {
            call.timer?.arm(at: last)
        }
    }

    private func waitedLongEnough(_ call: PendingCall) {
        call.isOver = true
        // Without its confirm a charge is not accepted; that ends within seconds either way.
        if call.isConfirmed { answerUnfinished(call) }
    }

    private func answerUnfinished(_ call: PendingCall) {
        leave(call)
        let id = call.request.id
        guard call.kind == .charges else { return answer(call, BuyerAnswer.pending(id)) }
        if let entry = book[id], let status = entry.status, status == .unknown || status == .parked {
            return answer(call, ChargeAnswer.result(status, id: id, body: entry.body))
        }
        answer(call, ChargeAnswer.queued(id, lane: call.lane, acceptedAt: call.acceptedAt))
    }

    private func wentAway(_ call: PendingCall) {
        leave(call)
        report.hungUp(call.request.id)
    }

    private func leave(_ call: PendingCall) {
        guard let timer = call.timer else { return }
        timer.disarm()
        call.timer = nil
        call.exchange.onClosed = nil
        room.remove(call)
    }

    private func answer(_ call: PendingCall, _ response: HTTPResponse) {
        var response = response
        if let wait = call.namedWait { response.headers.append(HTTPField("Preference-Applied", "wait=\(wait)")) }
        if call.waitMilliseconds != nil { report.waited(nanoseconds: LoopClock.monotonic() - call.startedAt) }
        send(call.exchange, response, call.kind.name, call.requestID, call.request.id)
    }

    // MARK: Asking

    /// `GET /v1/charges/{id}`.
    func find(_ exchange: HTTPExchange, _ text: String) {
        let requestID = requestID(exchange)
        guard let caller = callers.identify(authorization: exchange.header("Authorization")) else {
            return refuse(exchange, Self.noKey, requestID, nil, call: "charge_get")
        }
        for id in intake.candidates(for: text, caller: caller) {
            guard let entry = book[id] else { continue }
            let response =
                entry.status.map { ChargeAnswer.result($0, id: id, body: entry.body) }
                ?? ChargeAnswer.queued(id, lane: entry.lane, acceptedAt: entry.acceptedAt)
            return send(exchange, response.with("Cache-Control", "no-store"), "charge_get", requestID, id)
        }
        let problem = Problem(
            .notSeen, "this server has not seen the charge; that is no proof that it does not exist")
        refuse(exchange, problem, requestID, caller, call: "charge_get")
    }

    // MARK: Answers

    static let noKey = Problem(.unauthorized, "send Authorization: Bearer and one of this server's API keys")

    func requestID(_ exchange: HTTPExchange) -> String {
        if let given = RequestHeaders.requestID(exchange.header("X-Request-Id")) { return given }
        let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
        return "cr_" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    func refuse(
        _ exchange: HTTPExchange, _ problem: Problem, _ requestID: String, _ caller: Caller?,
        call: StaticString = "other"
    ) {
        report.problem(problem, requestID: requestID, caller: caller)
        send(exchange, problem.response(requestID: requestID), call, requestID, nil)
    }

    func send(
        _ exchange: HTTPExchange, _ response: HTTPResponse, _ call: StaticString, _ requestID: String, _ id: ChargeID?
    ) {
        report.answered(exchange, call, response.status, requestID: requestID, id: id)
        exchange.respond(response.with("X-Request-Id", requestID))
    }

    /// What a publish that was not confirmed is to the caller; nil for one that was.
    static func problem(_ outcome: PublishOutcome, id: ChargeID) -> Problem? {
        switch outcome {
        case .confirmed: nil
        case .nacked:
            Problem(.queueFull, "the queue took no more charges; nothing was queued", id: id.text, retryAfter: 5)
        case .returned:
            Problem(.unavailable, "no queue takes the lane; nothing was queued", id: id.text, retryAfter: 5)
        case .notSent(.blocked(let why)):
            Problem(.unavailable, "the broker takes no messages now (\(why))", id: id.text, retryAfter: 5)
        case .notSent(.full):
            Problem(.queueFull, "too many charges wait for the broker", id: id.text, retryAfter: 1)
        case .notSent(.tooLarge(let part)):
            Problem(.tooLarge, "the charge is too large for a message: \(part)", id: id.text)
        case .notSent(.disconnected):
            Problem(.unavailable, "the broker is not connected; nothing was queued", id: id.text, retryAfter: 1)
        case .notSent(.closed):
            Problem(.unavailable, "the server is stopping; nothing was queued", id: id.text, retryAfter: 1)
        case .lost:
            Problem(
                .notConfirmed,
                "the broker did not confirm in time: the charge may be queued. Send it again with the same id or key",
                id: id.text, retryAfter: 1)
        }
    }
}
