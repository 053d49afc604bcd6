/// Looking up a charge that may have moved money, until it is proven either way. A hit decides; a miss proves nothing.
extension ChargeVisit {
    /// From this long after the last possible send nothing can be made any more, and no search is late: ms.
    private static let absentAfter: Int64 = 25 * 3_600_000
    /// From this long after it was made a search misses nothing: an hour that it may be late, minutes until a send is
    /// executed, and two hours by which two workers' clocks may differ. Ms.
    private static let searchesMissNothingAfter: Int64 = 4 * 3_600_000
    private static let day: Int64 = 24 * 3_600_000

    /// One look-up. `maySend`: what is not found may be sent again, which a visit that has just sent it must not.
    func lookUp(_ charge: Charge, maySend: Bool) async -> Disposition {
        guard await traffic.turn(.lookup, lane: charge.delivery.lane) == .go else { return await giveBack(charge) }
        guard broker.isOpen(charge.delivery) else { return .left }
        let asked = clock.now()
        let finding = await stripe.search(charge.request.id, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .failed: return await waitToLookUp(charge, .pending)
        case .found(let objects):
            return objects.isEmpty
                ? await notFound(charge, asked: asked, maySend: maySend) : await judge(charge, objects)
        }
    }

    /// Decides by what a search or a list found: the freshest state of the object that counts.
    func judge(_ charge: Charge, _ objects: [StripeObject]) async -> Disposition {
        let payments = Payments(objects, of: charge.request)
        if payments.belongToAnother { return await refuseOwned(charge) }
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

    /// Nothing found, which proves nothing: the charge is proven never to have been executed, or waits; a day later a
    /// person must look.
    private func notFound(_ charge: Charge, asked: Int64, maySend: Bool) async -> Disposition {
        let now = clock.now()
        let lastSent = charge.headers.lastSent ?? charge.accepted
        // The first look-up may just have been too early.
        guard charge.headers.lookups > 0 else { return await waitToLookUp(charge, .pending) }
        if let rejection = charge.headers.rejection {
            // Stripe does not take it, so only what an earlier send may have done was in question.
            guard now - lastSent >= Self.searchesMissNothingAfter else { return await waitToLookUp(charge, .pending) }
            return await answer(charge, ChargeEnd(rejection))
        }
        if maySend, isSendable(charge, now) { return await send(charge, searchedAt: asked) }
        let token = charge.request.token.flatMap { $0.isOneTime ? $0 : nil }
        var charge = charge
        // While Stripe surely keeps the key for what has it, and longer than a search may be late, it is not asked for.
        let isKeyLost = !settings.rules.isKeyKept(charge, now: now + Self.searchesMissNothingAfter)
        let isKeyWanted =
            charge.headers.keyTaken == nil
            ? token != nil || settings.rules.isKeyKept(charge, now: now) : token != nil && isKeyLost
        if isKeyWanted {
            switch await claim(charge, asked: asked, isSearched: true) {
            case .claimed(let intent):
                return await answer(charge, ChargeEnd(.notCharged, code: "not_sent", object: intent))
            case .owned: charge.headers.keyTaken = charge.headers.keyTaken ?? now
            case .unsure: break
            }
        }
        // The key belongs to a failure that Stripe stored; another charge with this id would have been found by now,
        // and one that comes when the key is forgotten finds what is left here.
        if let token, let since = charge.headers.keyTaken, now - since >= Self.searchesMissNothingAfter, !isKeyLost,
            await burn(charge, token) == .burnt, await close(charge)
        {
            return await answer(charge, ChargeEnd(.notCharged, code: "not_sent"))
        }
        guard now - lastSent >= Self.absentAfter else { return await waitToLookUp(charge, .pending) }
        return await parkAbsent(charge, lastSent: lastSent, isLast: now - lastSent >= Self.absentAfter + Self.day)
    }

    /// Whether the same key may tell more, or do what was not done: nobody is known to have it, and the charge is
    /// neither too old nor too late.
    private func isSendable(_ charge: Charge, _ now: Int64) -> Bool {
        if let notAfter = charge.notAfter, now > notAfter { return false }
        return charge.headers.keyTaken == nil && settings.rules.decide(charge, searchedAt: now, now: now) == .send
    }

    /// Nothing is there a day later, or so it seems: before a person is asked, what was made around the sends is
    /// listed.
    private func parkAbsent(_ charge: Charge, lastSent: Int64, isLast: Bool) async -> Disposition {
        let finding = await stripe.list(
            charge.request.id, from: (charge.headers.firstSent ?? charge.accepted) / 1000 - 3600,
            to: lastSent / 1000 + 2 * 3600, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .found(let objects) where !objects.isEmpty: return await judge(charge, objects)
        case .failed where !isLast: return await waitToLookUp(charge, .pending)
        case .failed, .found: return await park(charge.delivery, charge.headers, .absent, charge: charge)
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
}

/// The objects found under one id, each payment once: an intent and its charge are one.
struct Payments {
    /// Those that were made from this very request; the older first.
    private(set) var ours: [StripeObject] = []
    /// Those of another request under the same id.
    private var others: [StripeObject] = []

    init(_ objects: [StripeObject], of request: ChargeRequest) {
        var byPayment: [String: StripeObject] = [:]
        for object in objects where object.chargelineID == request.id.text {
            let key = object.paymentIntentID ?? object.id
            if byPayment[key] == nil || object.kind == .paymentIntent { byPayment[key] = object }
        }
        var prints = ChargePrints(of: request)
        for object in byPayment.values.sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
            if object.chargelinePrint.map({ prints.contain($0) }) ?? true {
                ours.append(object)
            } else {
                others.append(object)
            }
        }
    }

    /// Whether the id is another charge's: of this one there is nothing, or no more than a key taken when the other's
    /// was forgotten.
    var belongToAnother: Bool {
        guard let other = others.map(\.standing).min() else { return false }
        return ours.map(\.standing).min().map { other < $0 } ?? true
    }

    private var moved: [StripeObject] { ours.filter { $0.standing == .moved } }

    /// Two payments for one charge.
    var areDoubled: Bool { moved.count > 1 }

    /// The one whose state is the charge's: the oldest that moved money, else the latest of those that come nearest to
    /// it.
    var decisive: StripeObject? {
        moved.first ?? ours.reversed().min { $0.standing < $1.standing }
    }
}

extension StripeObject {
    /// How near an object is to having moved money. A refusal outweighs a cancelled intent, which may be no more than a
    /// key taken.
    fileprivate enum Standing: Int, Comparable {
        case moved, open, refused, canceled

        static func < (a: Standing, b: Standing) -> Bool { a.rawValue < b.rawValue }
    }

    fileprivate var standing: Standing {
        switch status {
        case "succeeded", "requires_capture": .moved
        case "failed": .refused
        case "requires_payment_method": failure == nil ? .canceled : .refused
        case "canceled": .canceled
        default: .open
        }
    }
}

extension ChargeEnd {
    /// Rejected by Stripe, as a header tells.
    init(_ rejection: Rejection) {
        let error = StripeError(type: "invalid_request_error", code: rejection.code, param: rejection.param)
        self.init(.rejected, error: error)
    }
}
