/// Looking up a charge that may have moved money, until it is proven either way. A hit decides; a miss proves nothing.
extension ChargeVisit {
    /// From this long after the last possible send nothing can be made any more, and no search is late: ms.
    private static let absentAfter: Int64 = 25 * 3_600_000

    /// One look-up.
    func lookUp(_ charge: Charge) async -> Disposition {
        guard await traffic.turn(.lookup, lane: charge.delivery.lane) == .go else { return await giveBack(charge) }
        guard broker.isOpen(charge.delivery) else { return .left }
        let finding = await stripe.search(charge.request.id, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .failed: return await waitToLookUp(charge, .pending)
        case .found(let objects):
            return objects.isEmpty ? await notFound(charge) : await judge(charge, objects)
        }
    }

    /// Decides by what a search or a list found: the freshest state of the object that counts.
    func judge(_ charge: Charge, _ objects: [StripeObject]) async -> Disposition {
        let payments = Payments(objects, of: charge.request)
        if payments.ours.isEmpty { return await refuseOwned(charge) }
        guard let decisive = payments.decisive else { return await waitToLookUp(charge, .pending) }
        let outcome = await stripe.retrieve(decisive, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome, case .object(let object) = answer.body else {
            return await waitToLookUp(charge, .pending)
        }
        if payments.areDoubled {
            // An alarm for a person; the result says what is true of the charge.
            guard case .parked = await park(charge.delivery, charge.headers, .doubled, charge: charge, acks: false)
            else { return .left }
        }
        switch Verdict.of(object, requestID: answer.requestID, replayed: false) {
        case .final(let end): return await self.answer(charge, end)
        case .cancel(let intent, let end): return await cancelThenAnswer(charge, intent, end)
        default:
            guard object.kind == .paymentIntent, object.status == "requires_confirmation" else {
                return await waitToLookUp(charge, .pending)
            }
            let end = ChargeEnd(.notCharged, code: "canceled", object: object, requestID: answer.requestID)
            return await cancelThenAnswer(charge, object.id, end)
        }
    }

    /// Nothing found. A one-time token that can still be spent proves that no charge used it; a day later a person must look.
    private func notFound(_ charge: Charge) async -> Disposition {
        if charge.headers.lookups > 0, let token = charge.request.token, token.isOneTime,
            await burn(charge, token) == .burnt
        {
            return await answer(charge, ChargeEnd(.notCharged, code: "not_sent"))
        }
        guard clock.now() - (charge.headers.lastSent ?? charge.accepted) >= Self.absentAfter else {
            return await waitToLookUp(charge, .pending)
        }
        let from = (charge.headers.firstSent ?? charge.accepted) / 1000 - 3600
        let to = (charge.headers.lastSent ?? charge.accepted) / 1000 + 2 * 3600
        let finding = await stripe.list(charge.request.id, from: from, to: to, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .failed: return await waitToLookUp(charge, .pending)
        case .found(let objects) where !objects.isEmpty: return await judge(charge, objects)
        case .found: return await park(charge.delivery, charge.headers, .absent, charge: charge)
        }
    }

    /// Another charge owns the id: this message is not taken, and nothing is said about that charge.
    private func refuseOwned(_ charge: Charge) async -> Disposition {
        let failure = ChargeFailure(
            code: "id_in_use", message: "Another charge has this id: send this one under a new id.", param: "id")
        return await publishAndAck(
            .refused(
                id: charge.request.id, body: charge.delivery.body, lane: charge.delivery.lane,
                correlationID: charge.delivery.correlationID, caller: charge.headers.caller, failure: failure,
                acceptedAt: charge.accepted, completedAt: clock.now()),
            charge.delivery)
    }

    /// What an attempt to spend a token on nothing came to.
    enum Burn {
        /// It had not been used and never will be.
        case burnt
        /// A charge used it.
        case used
        /// Stripe did not say.
        case unsure
    }

    func burn(_ charge: Charge, _ token: CardToken) async -> Burn {
        let outcome = await stripe.burn(charge.request.id, token: token, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome else { return .unsure }
        switch answer.body {
        case .other("payment_method") where answer.status == 200: return .burnt
        case .error(let error) where error.code == "token_already_used": return .used
        default: return .unsure
        }
    }
}

/// The objects found under one id, each payment once: an intent and its charge are one.
struct Payments {
    /// Those that were made from this very request; the older first.
    let ours: [StripeObject]

    init(_ objects: [StripeObject], of request: ChargeRequest) {
        var byPayment: [String: StripeObject] = [:]
        for object in objects where object.chargelineID == request.id.text {
            let key = object.paymentIntentID ?? object.id
            if byPayment[key] == nil || object.kind == .paymentIntent { byPayment[key] = object }
        }
        let prints = ChargeForm.prints(of: request)
        ours = byPayment.values
            .filter { object in object.chargelinePrint.map(prints.contains) ?? true }
            .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    private var moved: [StripeObject] {
        ours.filter { $0.status == "succeeded" || $0.status == "requires_capture" }
    }

    /// Two payments for one charge.
    var areDoubled: Bool { moved.count > 1 }

    /// The one whose state is the charge's: the oldest that moved money, else one that still may, else the latest.
    var decisive: StripeObject? {
        moved.first ?? ours.first { $0.status != "failed" && $0.status != "requires_payment_method" } ?? ours.last
    }
}
