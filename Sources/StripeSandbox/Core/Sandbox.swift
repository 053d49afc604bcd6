internal import Settings

/// A Stripe that keeps state and breaks on demand, without input or output of its own: it is given requests with the
/// time, and says what to do on the wire.
///
/// Not for threads: one owner calls it, one request after another. The effect of a request comes at once; its answer
/// may be held back.
public final class Sandbox {
    /// What it behaves by now.
    public internal(set) var settings: SandboxSettings
    let store: ObjectStore
    let ledger = Ledger()
    var keys = IdempotencyStore()
    var faults: FaultPlan
    var stats = Stats()
    var chance: Chance
    var late = LateRequests()
    /// Milliseconds that its clock is ahead of the machine's.
    var clockAhead: Int64 = 0
    private var limiters = RateLimits()
    private var requestCount = 0

    /// An empty sandbox.
    public init(settings: SandboxSettings) {
        self.settings = settings
        store = ObjectStore(seed: settings.seed)
        faults = FaultPlan(settings.faults, seed: settings.seed)
        chance = Chance(seed: settings.seed)
    }

    /// Takes one request.
    ///
    /// - Parameter instant: the machine's clocks at its arrival.
    public func handle(_ request: SandboxRequest, at instant: SandboxInstant) -> SandboxReply {
        executeLate(at: instant)
        if request.path == "/v1" || request.path.hasPrefix("/v1/") { return stripeCall(request, at: instant) }
        return ControlCalls(sandbox: self, instant: instant).reply(request)
    }

    /// Milliseconds since 1970 on its own clock.
    func now(_ instant: SandboxInstant) -> Int64 { instant.wall + clockAhead }

    private func stripeCall(_ request: SandboxRequest, at instant: SandboxInstant) -> SandboxReply {
        let now = now(instant)
        keys.forget(now: now)
        stats.arrived(monotonic: instant.monotonic)
        let visit = Visit(
            request, instant, now: now, number: requestCount, requestID: store.ids.text(.request, requestCount))
        requestCount += 1
        var reply: SandboxReply
        do throws(StripeFailure) {
            reply = try serve(visit)
        } catch {
            reply = Reply.answer(.failure(Kept(error)), visit, store.ids)
        }
        if request.method == "HEAD" { reply.body = [] }
        stats.answered(reply)
        return reply
    }

    /// The order of Stripe's own checks (docs: low-level errors): form, key, rate, idempotency, parameters,
    /// execution.
    private func serve(_ visit: Visit) throws(StripeFailure) -> SandboxReply {
        visit.form = try Door.form(visit.request)
        try Door.open(visit, store)
        if let fault = strike(.door, visit) { throw Door.revoked(visit, fault) }
        if let reason = limiters.refusal(visit, limit: settings.rateLimit) { throw .rateLimited(reason) }
        if let fault = strike(.limiter, visit) {
            throw Self.advised(.rateLimited(fault.reason ?? "global-rate"), fault)
        }
        if let fault = strike(.gate, visit) {
            if fault.kind == .lateExecution { late.add(visit, after: fault.delay ?? .minutes(2)) }
            return try Reply.atTheGate(fault, visit)
        }
        guard let route = Route.find(visit.request.method, visit.request.path) else { throw Door.unknownURL(visit) }
        visit.route = route
        let latency = settings.latency
        visit.delay = chance.number(in: latency.least.milliseconds...latency.most.milliseconds)
        if visit.isPost, let fault = strike(.lock, visit) {
            throw Self.advised(fault.kind == .lockTimeout ? .lockTimeout : .keyInUse(visit.key ?? "none"), fault)
        }
        let saved = try savedAnswer(visit)
        if let fault = strike(.answer, visit) {
            visit.answerFault = fault
            if fault.kind == .slow { visit.delay += min(fault.delay ?? .seconds(5), .hours(24)).milliseconds }
        }
        if let saved {
            stats.replays += 1
            return Reply.finished(
                Reply.replay(saved, visit, store.ids), visit, &chance)
        }
        return Reply.finished(Reply.answer(execute(route, visit), visit, store.ids), visit, &chance)
    }

    /// What the idempotency key says: nothing yet, an answer to give again, or a refusal.
    private func savedAnswer(_ visit: Visit) throws(StripeFailure) -> IdempotencyStore.Entry? {
        guard let key = visit.key else { return nil }
        guard key.count <= 255 else {
            throw .idempotency("Keys for idempotent requests may be at most 255 characters long.")
        }
        let name = IdempotencyStore.Name(scope: visit.scope, key: key)
        switch keys.find(name, visit.print, monotonic: visit.instant.monotonic) {
        case .absent: return nil
        case .saved(let entry): return entry
        case .busy: throw .keyInUse(key)
        case .otherCall:
            throw .idempotency(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for. Try "
                    + "using a key other than '\(key)' if you meant to execute a different request.")
        case .otherParameters:
            throw .idempotency(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. Try "
                    + "using a key other than '\(key)' if you meant to execute a different request.")
        }
    }

    /// Validates and executes, and keeps the answer under the key if execution began.
    private func execute(_ route: Route, _ visit: Visit) -> Answer {
        visit.onBegin = { [unowned self] in strike(.execution, visit) }
        var answer: Answer
        var isKept = visit.isPost
        do throws(StripeFailure) {
            answer = try Calls(sandbox: self, visit: visit).perform(route)
        } catch {
            answer = .failure(Kept(error))
            isKept = error.isSaved
        }
        visit.onBegin = nil
        if let fault = visit.afterEffect {
            answer = .failure(Kept(Visit.storedFailure(fault)))
            isKept = true
        }
        if isKept, let key = visit.key {
            let entry = IdempotencyStore.Entry(
                print: visit.print, request: visit.number, firstUsed: visit.now, busyUntil: visit.answeredAt,
                answer: answer)
            keys.save(IdempotencyStore.Name(scope: visit.scope, key: key), entry)
        }
        return answer
    }

    /// Executes what stood in a queue until now, each with the keys of its own moment. Nobody sees the answers.
    func executeLate(at instant: SandboxInstant) {
        while let (visit, due) = late.next(now: now(instant)) {
            keys.forget(now: due)
            visit.resume(at: instant, now: due)
            guard let route = Route.find(visit.request.method, visit.request.path) else { continue }
            visit.route = route
            // Where another request has the key, this one is a replay, or refused.
            if isKeyFree(visit) { _ = execute(route, visit) }
        }
    }

    private func isKeyFree(_ visit: Visit) -> Bool {
        do throws(StripeFailure) { return try savedAnswer(visit) == nil } catch { return false }
    }

    private func strike(_ stage: FaultPlan.Stage, _ visit: Visit) -> Fault? {
        guard !faults.isEmpty else { return nil }
        let request = visit.request
        let subject = FaultPlan.Subject(
            method: request.method, path: request.path,
            isPayment: visit.isPost && Route.find(request.method, request.path)?.isPayment == true,
            name: visit.key ?? "\(request.method) \(request.path)?\(request.query)", token: visit.token,
            chargeID: { [self] in chargeID(of: visit) })
        return faults.strike(stage, subject)
    }

    private static func advised(_ failure: StripeFailure, _ fault: Fault) -> StripeFailure {
        var failure = failure
        if let advice = fault.shouldRetry { failure.shouldRetry = advice }
        return failure
    }

    /// chargeline's id of the charge that a request is about.
    private func chargeID(of visit: Visit) -> String? {
        if let sent = visit.form["metadata[\(Metadata.chargeID)]"] { return sent }
        switch Route.find(visit.request.method, visit.request.path) {
        case .intent(let id), .updateIntent(let id), .confirmIntent(let id), .captureIntent(let id),
            .cancelIntent(let id):
            return store.intent(id, in: visit.scope)?.value.purchase.value.chargeID
        case .charge(let id), .updateCharge(let id), .captureCharge(let id):
            return store.charge(id, in: visit.scope)?.value.purchase.value.chargeID
        case .searchIntents, .searchCharges:
            return visit.form["query"].flatMap { try? SearchQuery($0) }?.chargeID
        default: return nil
        }
    }
}

extension Visit {
    /// What an idempotency key is bound to.
    var print: IdempotencyStore.Print {
        IdempotencyStore.Print(
            call: Chance.hash("\(request.method) \(request.path)"), parameters: form.fingerprint)
    }
}
