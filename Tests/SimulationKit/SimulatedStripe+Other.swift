import Charging

/// The calls that move no money.
extension SimulatedStripe {
    /// A search by `chargeline_id`: late, and forgetful within its lag.
    func serveSearch(_ id: ChargeID, charge: Int) -> Served {
        if let stopped = gate() ?? troubled() { return stopped }
        return found(charge) { [unowned(unsafe) self] payment, shows in
            world.now >= shows
                && !(world.now < payment.created + world.weather.searchLag
                    && world.strikes(world.weather.flapping))
        }
    }

    /// A list of a time window, which is never late.
    func serveList(_ id: ChargeID, charge: Int, from: Int64, to: Int64) -> Served {
        if let stopped = gate() ?? troubled() { return stopped }
        return found(charge) { payment, _ in (from...to).contains(payment.created / 1000) }
    }

    private func found(_ charge: Int, where shown: (Payment, Int64) -> Bool) -> Served {
        var objects: [StripeObject] = []
        for payment in payments[charge].reversed() {
            if payment.flow == .paymentIntents, shown(payment, payment.intentShows) {
                objects.append(payment.intent(seen: world.now))
            }
            if payment.hasCharge, shown(payment, payment.chargeShows) {
                objects.append(payment.chargeObject(seen: world.now))
            }
        }
        return Served(world.random.between(20, 200), .notStripe(""), finding: .found(objects))
    }

    func serveRetrieve(_ object: StripeObject, charge: Int) -> Served {
        if let stopped = gate() ?? troubled() { return stopped }
        for payment in payments[charge] {
            if object.kind == .paymentIntent, payment.intentID == object.id {
                return Served(
                    20, StripeAnswer(status: 200, requestID: requestID, body: .object(payment.intent())))
            }
            if object.kind == .charge, payment.chargeID == object.id {
                return Served(
                    20, StripeAnswer(status: 200, requestID: requestID, body: .object(payment.chargeObject())))
            }
        }
        return refusal(404, StripeError(type: "invalid_request_error", code: "resource_missing", param: "id"))
    }

    func serveCancel(_ id: ChargeID, charge: Int, intent: String) -> Served {
        if let stopped = gate() { return stopped }
        let key = id.text + "/cancel"
        let body = Array(intent.utf8)
        if let known = replay(key, .cancel, body, charge: charge) { return known }
        if let stopped = troubled() { return stopped }
        guard let payment = payments[charge].first(where: { $0.intentID == intent }) else {
            return refusal(404, StripeError(type: "invalid_request_error", code: "resource_missing", param: "intent"))
        }
        switch payment.state {
        case .declined, .waitsForBuyer, .open, .requiresCapture:
            change(payment, to: .canceled)
        case .succeeded, .processing, .canceled:
            return refusal(
                400, StripeError(type: "invalid_request_error", code: "payment_intent_unexpected_state"))
        }
        return stored(
            StripeAnswer(status: 200, requestID: requestID, body: .object(payment.intent())),
            store(key, .cancel, body, charge: charge))
    }

    func serveBurn(_ id: ChargeID, charge: Int, token: String) -> Served {
        if let stopped = gate() { return stopped }
        let key = id.text + "/burn"
        let body = Array(token.utf8)
        if let known = replay(key, .burn, body, charge: charge) { return known }
        if let stopped = troubled() { return stopped }
        func no(_ code: String) -> Served {
            refusal(400, StripeError(type: "invalid_request_error", code: code, param: "card[token]"))
        }
        guard let card = card(token) else { return no("resource_missing") }
        if !card.isReusable {
            guard !card.isUsed, !card.isBurnt else { return no("token_already_used") }
            guard card.inUse == 0 else { return no("token_in_use") }
            card.isBurnt = true
            world.story.tell(
                world.now, charge: charge, .read, detail: 1, "Stripe took the token for a payment method: it is burnt")
        }
        return stored(
            StripeAnswer(status: 200, requestID: requestID, body: .other("payment_method")),
            store(key, .burn, body, charge: charge))
    }

    /// Done and remembered; now and then the answer says that it was not.
    private func stored(_ answer: StripeAnswer, _ key: StoredKey) -> Served {
        guard world.strikes(world.weather.failures) else {
            key.answer = answer
            return Served(50, answer)
        }
        let failure = failureAnswer(500)
        key.answer = world.random.happens(0.5) ? failure : answer
        return Served(50, failure)
    }

    /// A failure before anything is done.
    private func troubled() -> Served? {
        world.strikes(world.weather.failures / 2) ? failure(500) : nil
    }
}
