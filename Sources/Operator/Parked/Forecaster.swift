internal import Charging
internal import EventLoop
internal import HTTPClient
internal import Settings
internal import StripeClient

/// Asks Stripe what it has of charges, and foretells what a worker will do with them. Lives on the loop.
struct Forecaster {
    private let loop: Loop
    private let transfers: Transfers
    private let gateway: StripeGateway
    private let visits: VisitSettings

    init(loop: Loop, settings: ChargelineSettings, key: Secret, version: String) {
        self.loop = loop
        transfers = Transfers(
            loop: loop, settings: TransferSettings(atOnce: 4), capturing: StripeGateway.capturedHeaders)
        gateway = StripeGateway(
            transfers: transfers,
            settings: StripeSettings(
                base: settings.stripeBase.description, timeoutMilliseconds: Int(settings.stripeTimeout.milliseconds),
                programVersion: version), key: key)
        visits = VisitSettings(
            flow: settings.stripeFlow == .charges ? .charges : .paymentIntents,
            rules: SendRules(
                retryFor: settings.retryFor.milliseconds, searchesReusable: settings.searchFirst == .reusable),
            retry: RetryPolicy(tiers: settings.retryDelays.map { WaitTier(milliseconds: $0.milliseconds) }),
            notAfter: settings.notAfter.mapValues(\.milliseconds))
    }

    /// Ends what is under way.
    func shutdown() { transfers.shutdown() }

    /// What will become of a charge that a worker gets as this delivery. Always by what Stripe has, also where the
    /// worker would send first and learn it from the answer.
    func forecast(_ delivery: ChargeDelivery) async -> Forecast {
        var delivery = delivery
        // The first look-up of a worker only waits: the second decides.
        if delivery.headers.phase == .lookup { delivery.headers.lookups = max(1, delivery.headers.lookups) }
        var rehearsal = await rehearse(delivery)
        if case .again(_, let headers)? = rehearsal.published.first {
            // Stamped: nothing said when it was accepted.
            delivery.headers = headers
            rehearsal = await rehearse(delivery)
        }
        if rehearsal.wish == .charge, rehearsal.finding == nil, let request = request(of: delivery) {
            let finding = await rehearsal.search(request.id, account: request.stripeAccount)
            if case .found(let objects) = finding, !objects.isEmpty {
                delivery.headers.phase = .lookup
                delivery.headers.lookups = max(1, delivery.headers.lookups)
                rehearsal = await rehearse(delivery, hint: finding)
            }
        }
        return outcome(of: rehearsal, delivery)
    }

    /// What Stripe has of a charge, whatever its headers say of what comes next.
    func lookUp(_ delivery: ChargeDelivery) async -> Forecast {
        var delivery = delivery
        delivery.badHeader = nil
        delivery.headers.suspect = 0
        delivery.headers.phase = .lookup
        return await forecast(delivery)
    }

    private func request(of delivery: ChargeDelivery) -> ChargeRequest? {
        try? ChargeRequest(
            json: delivery.body, fallbackID: delivery.messageID, flow: delivery.headers.flow ?? visits.flow)
    }

    private func rehearse(_ delivery: ChargeDelivery, hint: StripeFinding? = nil) async -> Rehearsal {
        let rehearsal = Rehearsal(gateway: gateway, loop: loop, hint: hint)
        let visit = ChargeVisit(
            broker: rehearsal, stripe: rehearsal, clock: rehearsal, traffic: rehearsal, settings: visits)
        _ = await visit.run(delivery)
        return rehearsal
    }

    private func outcome(of rehearsal: Rehearsal, _ delivery: ChargeDelivery) -> Forecast {
        if let failure = rehearsal.failure { return .unknown(Self.words(failure)) }
        switch rehearsal.wish {
        case .charge: return .tried(again: delivery.headers.firstSent != nil)
        case .proof: return .proven
        case .cancel: return .canceled
        case nil: break
        }
        var found = false
        if case .found(let objects)? = rehearsal.finding { found = !objects.isEmpty }
        for message in rehearsal.published {
            switch message {
            case .park(let reason, _, _, _): return .parked(reason)
            case .result(let result, _) where result.status != .unknown: return .result(result)
            default: break
            }
        }
        return .lookedUp(found: found)
    }

    /// Why Stripe did not say.
    private static func words(_ outcome: StripeOutcome) -> String {
        switch outcome {
        case .answered(let answer): "it answers \(answer.status) (\(answer.requestID))"
        case .notSent(let why): "it cannot be reached: \(why.message)"
        case .noAnswer(let why): "no answer came: \(why)"
        case .notStripe(let why): "what answers is not Stripe: \(why)"
        }
    }
}
