/// The ends of a visit. Always the same order: publish, wait for the confirm, only then ack.
extension ChargeVisit {
    /// The charge has ended: its result, then the ack.
    func answer(_ charge: Charge, _ end: ChargeEnd) async -> Disposition {
        await publishAndAck(ChargeResult(charge, end, completedAt: clock.now()), charge.delivery)
    }

    /// A final result is published even when the delivery's channel has gone: the broker's next delivery will say the
    /// same.
    func publishAndAck(_ result: ChargeResult, _ delivery: ChargeDelivery) async -> Disposition {
        guard await store(.result(result, for: delivery), delivery, evenIfClosed: result.isFinal) else { return .left }
        broker.ack(delivery)
        return .answered(result)
    }

    /// Goes to a wait queue and is sent again from there.
    func wait(_ charge: Charge, _ again: Again) async -> Disposition {
        let tier = settings.retry.tier(again, attempts: charge.headers.attempts, chance: clock.chance())
        return await wait(charge, tier)
    }

    /// Goes to a wait queue; the next visit looks it up.
    func waitToLookUp(_ charge: Charge, _ reason: LookUpReason) async -> Disposition {
        var charge = charge
        let tier = settings.retry.lookUpTier(lookups: charge.headers.lookups)
        let first = charge.headers.phase == .charge
        charge.headers.phase = .lookup
        if !first { charge.headers.lookups += 1 }
        return await wait(charge, tier, reason: reason, firstLookUp: first)
    }

    func wait(
        _ charge: Charge, _ tier: WaitTier, reason: LookUpReason? = nil, firstLookUp: Bool = false
    ) async -> Disposition {
        if tellsUnknown(charge, tier, firstLookUp) {
            let failure = ChargeFailure(
                code: reason?.rawValue ?? "no_answer",
                message: "Stripe's answer is not known yet; the charge may have been made and is being looked up.",
                buyerCode: "processing", buyerMessage: "Your payment is being processed.")
            let result = ChargeResult(charge, status: .unknown, failure: failure, completedAt: clock.now())
            guard await store(.result(result, for: charge.delivery), charge.delivery) else { return .left }
        }
        var headers = charge.headers
        headers.suspect = 0
        guard await store(.wait(tier, charge.delivery, headers), charge.delivery) else { return .left }
        broker.ack(charge.delivery)
        return .waits(tier, charge.headers.phase)
    }

    /// Once a charge, when it first goes to a long wait. No state is needed to know that: had there been a long wait
    /// before, the first and the last send would lie that far apart.
    private func tellsUnknown(_ charge: Charge, _ tier: WaitTier, _ firstLookUp: Bool) -> Bool {
        guard let first = charge.headers.firstSent, let last = charge.headers.lastSent else { return false }
        let early = last - first < RetryPolicy.unknownFrom
        switch charge.headers.phase {
        case .charge: return early && tier.milliseconds >= RetryPolicy.unknownFrom
        case .lookup: return early && firstLookUp
        }
    }

    /// Back to the broker, its headers kept, for a while: this worker may not call Stripe now.
    func giveBack(_ charge: Charge) async -> Disposition {
        await giveBack(charge.delivery, charge.headers)
    }

    func giveBack(_ delivery: ChargeDelivery, _ headers: ChargeHeaders) async -> Disposition {
        guard await store(.wait(settings.retry.tiers[0], delivery, headers), delivery) else { return .left }
        broker.ack(delivery)
        return .givenBack
    }

    /// Accepted now: the message said nothing believable.
    func stamp(_ delivery: ChargeDelivery) async -> Disposition {
        let now = clock.now()
        var headers = delivery.heldHeaders(now: now)
        headers.accepted = now
        guard await store(.again(delivery, headers), delivery) else { return .left }
        broker.ack(delivery)
        return .givenBack
    }

    /// To the parked queue, and a result that says so where the id is known.
    func park(
        _ delivery: ChargeDelivery, _ headers: ChargeHeaders, _ reason: ParkReason, charge: Charge? = nil,
        id: ChargeID? = nil, acks: Bool = true
    ) async -> Disposition {
        guard await store(.park(reason, delivery, headers, body: nil), delivery) else { return .left }
        let failure = ChargeFailure(code: reason.rawValue, message: reason.explanation)
        var result: ChargeResult?
        if let charge {
            result = ChargeResult(charge, status: .parked, failure: failure, completedAt: clock.now())
        } else if let id {
            result = ChargeResult(
                id: id, status: .parked, lane: delivery.lane, correlationID: delivery.correlationID,
                caller: headers.caller, failure: failure, acceptedAt: headers.accepted, completedAt: clock.now())
        }
        if acks, let result {
            guard await store(.result(result, for: delivery), delivery) else { return .left }
        }
        if acks { broker.ack(delivery) }
        return .parked(reason)
    }

    /// Publishes until the broker has it. False: the delivery's channel has gone, and the broker will deliver it again.
    func store(_ message: OutgoingMessage, _ delivery: ChargeDelivery, evenIfClosed: Bool = false) async -> Bool {
        var tries: Int64 = 0
        while true {
            let open = broker.isOpen(delivery)
            // The next delivery says a final result again, so a short try is enough.
            guard open || (evenIfClosed && tries < 6) else { return false }
            let word = await broker.publish(message)
            if case .result = message { traffic.saw(word == .refused ? .resultRefused : .resultStored) }
            if word == .confirmed { return true }
            tries += 1
            await clock.sleep(milliseconds: min(5000, 100 << min(tries, 6)))
        }
    }
}

extension ParkReason {
    /// What a person is told.
    var explanation: String {
        switch self {
        case .unreadable: "The message is not a charge."
        case .badHeaders: "A header of the message cannot be understood by this build."
        case .cardNumber: "The message held a card number."
        case .invalidAfterSend: "The charge breaks a rule now but may have been sent before: look it up at Stripe."
        case .absent: "The charge may have been sent, and nothing of it is at Stripe a day later."
        case .doubled: "Stripe holds two succeeded payments for this charge: refund one."
        case .needsOperator: "Stripe rejects something that the caller never sent: see the worker's log."
        case .killsWorkers: "Workers that had this charge alone ended again and again without settling it."
        }
    }
}
