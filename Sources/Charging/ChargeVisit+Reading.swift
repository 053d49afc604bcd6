extension ChargeVisit {
    /// What a delivery turned out to be.
    enum Reading {
        /// A charge that may be worked on.
        indirect case charge(Charge)
        /// Not a charge, or one that breaks a rule; the id where one could be read.
        case invalid(ChargeID?, [FieldProblem])
        /// A header of ours that cannot be understood.
        case badHeaders
        /// No believable time of acceptance.
        case unstamped
        /// Encoded by a newer build than this.
        case newer
    }

    /// Acceptance before this is not believed: 2020, ms since 1970.
    private static let earliest: Int64 = 1_577_836_800_000
    /// Acceptance further ahead than this is not believed, ms.
    private static let ahead: Int64 = 60_000

    /// Reads a delivery; sends nothing.
    func read(_ delivery: ChargeDelivery) -> Reading {
        guard delivery.badHeader == nil else { return .badHeaders }
        if let encoding = delivery.headers.encoding, encoding > ChargeForm.currentEncoding { return .newer }
        let now = clock.now()
        let stamp = delivery.headers.accepted ?? delivery.timestamp.map { $0 &* 1000 }
        guard let accepted = stamp, accepted >= Self.earliest, accepted <= now + Self.ahead else { return .unstamped }
        let request: ChargeRequest
        do {
            request = try ChargeRequest(
                json: delivery.body, fallbackID: delivery.messageID, flow: delivery.headers.flow ?? settings.flow)
        } catch {
            return .invalid(error.id, error.problems)
        }
        if let livemode = request.livemode, livemode != stripe.isLive {
            let mode = stripe.isLive ? "live" : "test"
            return .invalid(
                request.id,
                [FieldProblem("livemode", .exclusive, "livemode does not fit the key, which is in \(mode) mode")])
        }
        let notAfter = request.notAfter ?? settings.notAfter[delivery.lane].map { accepted + $0 }
        return .charge(
            Charge(delivery: delivery, request: request, accepted: accepted, notAfter: notAfter, now: now))
    }

    /// A message that is not taken. What breaks a rule is `rejected`; what cannot be read, or must not be kept, is
    /// parked too.
    func refuse(_ delivery: ChargeDelivery, _ id: ChargeID?, _ problems: [FieldProblem]) async -> Disposition {
        let first = problems.first ?? FieldProblem("", .invalidJSON, "the body cannot be read")
        let holdsCard = problems.contains { $0.code == .cardNumber }
        // Whose charge it is must be certain, since `rejected` is that charge's end.
        let unreadable = id == nil || problems.contains { $0.code == .invalidJSON || $0.field == "id" }
        guard let id, !unreadable, !holdsCard else {
            return await parkUnread(delivery, id, first, holdsCard ? .cardNumber : .unreadable)
        }
        guard !delivery.redelivered, delivery.deliveryCount == 0, delivery.headers.firstSent == nil else {
            // Valid once and perhaps sent: saying `rejected` now could contradict the money.
            return await park(delivery, delivery.headers, .invalidAfterSend, id: id)
        }
        let result = ChargeResult(
            id: id, status: .rejected, lane: delivery.lane, correlationID: delivery.correlationID,
            caller: delivery.headers.caller, failure: ChargeFailure(problems: problems),
            acceptedAt: delivery.headers.accepted, completedAt: clock.now())
        return await publishAndAck(result, delivery)
    }

    private func parkUnread(
        _ delivery: ChargeDelivery, _ id: ChargeID?, _ problem: FieldProblem, _ reason: ParkReason
    ) async -> Disposition {
        let body = reason == .cardNumber ? CardNumbers.masked(delivery.body) : nil
        guard await store(.park(reason, delivery, delivery.headers, body: body), delivery) else { return .left }
        if let id {
            let result = ChargeResult.refused(
                id: id, body: delivery.body, lane: delivery.lane, correlationID: delivery.correlationID,
                caller: delivery.headers.caller, failure: ChargeFailure(problems: [problem]),
                acceptedAt: delivery.headers.accepted, completedAt: clock.now())
            guard await store(.result(result, for: delivery), delivery) else { return .left }
        }
        broker.ack(delivery)
        return .parked(reason)
    }
}
