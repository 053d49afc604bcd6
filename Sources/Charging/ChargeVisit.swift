/// One visit of a charge to a worker: the life of a charge, top to bottom.
///
/// What earlier visits learned is in the delivery's headers; the visit ends in exactly one `Disposition`. It keeps
/// nothing, owns no time and no chance, and runs on a real loop as in a simulation.
public struct ChargeVisit {
    let broker: any BrokerPort
    let stripe: any StripePort
    let clock: any ClockPort
    let traffic: any TrafficPort
    let settings: VisitSettings

    /// Makes the visits of one worker.
    public init(
        broker: any BrokerPort, stripe: any StripePort, clock: any ClockPort, traffic: any TrafficPort,
        settings: VisitSettings
    ) {
        self.broker = broker
        self.stripe = stripe
        self.clock = clock
        self.traffic = traffic
        self.settings = settings
    }

    /// Carries a delivery to its disposition.
    public func run(_ delivery: ChargeDelivery) async -> Disposition {
        if delivery.isNewlySuspect { return await suspect(delivery) }
        switch read(delivery) {
        case .charge(let charge) where charge.headers.suspect >= Self.suspectLimit: return await decideSuspect(charge)
        case .charge(let charge):
            switch charge.headers.phase {
            case .charge: return await send(charge)
            case .lookup: return await lookUp(charge, maySend: true)
            }
        case .invalid(let id, let problems): return await refuse(delivery, id, problems)
        case .badHeaders: return await park(delivery, delivery.headers, .badHeaders)
        case .unstamped: return await stamp(delivery)
        case .newer: return await giveBack(delivery)
        }
    }

    /// Gives a delivery back unread and unsent, with all that is known of it.
    public func giveBack(_ delivery: ChargeDelivery) async -> Disposition {
        await giveBack(delivery, delivery.heldHeaders(now: clock.now()))
    }

    // MARK: Sending

    /// Sends until Stripe's word decides, or the charge has to wait in the broker.
    func send(_ charge: Charge, searchedAt: Int64? = nil) async -> Disposition {
        var charge = charge
        var searchedAt = searchedAt
        var repeats = 0
        while true {
            guard await traffic.turn(.charge, lane: charge.delivery.lane) == .go else {
                return await giveBack(charge)
            }
            guard broker.isOpen(charge.delivery) else { return .left }
            let now = clock.now()
            switch settings.rules.decide(charge, searchedAt: searchedAt, now: now) {
            case .send: break
            case .searchFirst:
                if let ended = await searchFirst(charge) { return ended }
                searchedAt = now
                continue
            case .lookUp: return await waitToLookUp(charge, .tooOld)
            case .neverSent(let code): return await endUnsent(charge, code: code)
            }
            switch await attempt(&charge, at: now) {
            case .final(let end):
                return end.status == .rejected ? await answerRejected(charge, end) : await answer(charge, end)
            case .cancel(_, let end) where end.replayed:
                // A stored answer tells how the intent was then; its buyer may have come since.
                return await judge(charge, [end.object].compactMap(\.self))
            case .cancel(let intent, let end):
                return await cancelThenAnswer(charge, intent, end)
            case .lookUp(let reason):
                return reason.isLikelyFound ? await lookUp(charge, maySend: false) : await waitToLookUp(charge, reason)
            case .operatorNeeded:
                return await giveUpToOperator(charge)
            case .again(let again):
                guard let pause = settings.retry.pause(again, repeats: repeats, chance: clock.chance()) else {
                    return await wait(charge, again)
                }
                await clock.sleep(milliseconds: pause)
                repeats += 1
            }
        }
    }

    /// One call to Stripe and its verdict; the charge remembers whether it may have been sent.
    private func attempt(_ charge: inout Charge, at now: Int64) async -> Verdict {
        let before = charge.headers
        let flow = before.flow ?? settings.flow
        let encoding = before.encoding ?? ChargeForm.currentEncoding
        let form = ChargeForm.encode(charge.request, flow: flow, encoding: encoding)
        charge.sent(at: now, flow: flow, encoding: encoding)
        let outcome = await stripe.charge(
            charge.request.id, form: form, flow: flow, account: charge.request.stripeAccount)
        var verdict = Verdict.of(outcome, mayHaveBeenSent: before.firstSent != nil, request: charge.request)
        if case .answered(let answer) = outcome {
            if verdict == .lookUp(.rejectedAfterSend) {
                // What the operator has to mend is mended first: no look-up would be answered better.
                switch Verdict.ofRejection(answer, request: charge.request) {
                case .operatorNeeded(let what): verdict = .operatorNeeded(what)
                default: charge.headers.rejection = answer.rejection
                }
            }
            if answer.showsKeyTaken { charge.headers.keyTaken = charge.headers.keyTaken ?? now }
        }
        traffic.saw(TrafficSignal(outcome, verdict))
        switch verdict {
        case .again(.notSent), .again(.limited):
            // No attempt spent, nothing sent.
            charge.headers = before
        case .operatorNeeded where outcome.isCertainlyUnexecuted:
            charge.headers = before
        default:
            charge.headers.attempts += 1
        }
        return verdict
    }

    /// An aged charge is searched for before it is sent. Nil: not found, so it may be sent.
    private func searchFirst(_ charge: Charge) async -> Disposition? {
        let finding = await stripe.search(charge.request.id, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .failed: return await wait(charge, .notSent)
        case .found(let objects): return objects.isEmpty ? nil : await judge(charge, objects)
        }
    }

    /// Rejected by Stripe, and never sent before. A twin may have been, longer ago than Stripe keeps a key and than any
    /// search is late; its payment method would be spent, which reads like a fault of this one.
    private func answerRejected(_ charge: Charge, _ end: ChargeEnd) async -> Disposition {
        let finding = await stripe.search(charge.request.id, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .found(let objects) where objects.isEmpty:
            // No object proves it: a process that was frozen with the charge must not say it of one that another has
            // sent since.
            return broker.isOpen(charge.delivery) ? await answer(charge, end) : .left
        case .found(let objects): return await judge(charge, objects)
        case .failed:
            var charge = charge
            charge.headers.rejection = Rejection(code: end.error?.code, param: end.error?.param)
            return await waitToLookUp(charge, .rejectedAfterSend)
        }
    }

    /// It was never sent and will not be. A twin of it may have been, or may be still: the key is taken, so that none
    /// can.
    private func endUnsent(_ charge: Charge, code: String) async -> Disposition {
        let asked = clock.now()
        let searches = settings.rules.wantsSearch(charge, now: asked)
        if searches, let ended = await searchFirst(charge) { return ended }
        switch await claim(charge, asked: asked, isSearched: searches) {
        case .claimed(let intent): return await answer(charge, ChargeEnd(.notCharged, code: code, object: intent))
        case .owned: return await waitToLookUp(charge, .usedBefore)
        case .unsure: return await waitToLookUp(charge, .pending)
        }
    }

    /// The key, a setting or a certificate is at fault. The charge waits; if it alone is rejected again and again, a
    /// person looks.
    private func giveUpToOperator(_ charge: Charge) async -> Disposition {
        guard charge.headers.attempts < settings.operatorAttempts else {
            return await park(charge.delivery, charge.headers, .needsOperator, charge: charge)
        }
        return await wait(charge, settings.retry.operatorTier)
    }

    func cancelThenAnswer(_ charge: Charge, _ intent: String, _ end: ChargeEnd) async -> Disposition {
        guard let object = await cancel(charge, intent) else { return await waitToLookUp(charge, .pending) }
        var end = end
        end.object = object
        return await self.answer(charge, end)
    }
}

/// What a visit is told about the worker it belongs to.
public struct VisitSettings: Sendable {
    /// The API for first sends.
    public var flow: Flow
    /// When a charge may be sent.
    public var rules: SendRules
    /// When it is tried again.
    public var retry: RetryPolicy
    /// A lane's default for `not_after`, ms after acceptance.
    public var notAfter: [String: Int64]
    /// Rejections of what the caller never sent, before the charge alone is parked.
    public var operatorAttempts = 8

    /// Makes the settings.
    public init(flow: Flow, rules: SendRules, retry: RetryPolicy, notAfter: [String: Int64] = [:]) {
        self.flow = flow
        self.rules = rules
        self.retry = retry
        self.notAfter = notAfter
    }
}
