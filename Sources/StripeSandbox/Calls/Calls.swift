/// Stripe's calls, each: parameters checked, then `beginExecution`, then the effect.
struct Calls {
    let sandbox: Sandbox
    let visit: Visit

    var store: ObjectStore { sandbox.store }
    var ledger: Ledger { sandbox.ledger }

    func perform(_ route: Route) throws(StripeFailure) -> Answer {
        let parameters = try Parameters(visit.form, knowing: route.parameters)
        switch route {
        case .createToken: return try createToken(parameters)
        case .token(let id): return try token(id, parameters)
        case .createMethod: return try createMethod(parameters)
        case .method(let id): return try method(id, parameters)
        case .attachMethod(let id): return try attachMethod(id, parameters)
        case .createIntent: return try createIntent(parameters)
        case .intent(let id): return try intent(id, parameters)
        case .updateIntent(let id): return try updateIntent(id, parameters)
        case .confirmIntent(let id): return try confirmIntent(id, parameters)
        case .captureIntent(let id): return try captureIntent(id, parameters)
        case .cancelIntent(let id): return try cancelIntent(id, parameters)
        case .listIntents: return try listIntents(parameters)
        case .searchIntents: return try searchIntents(parameters)
        case .createCharge: return try createCharge(parameters)
        case .charge(let id): return try charge(id, parameters)
        case .updateCharge(let id): return try updateCharge(id, parameters)
        case .captureCharge(let id): return try captureCharge(id, parameters)
        case .listCharges: return try listCharges(parameters)
        case .searchCharges: return try searchCharges(parameters)
        case .createCustomer: return try createCustomer(parameters)
        case .customer(let id): return try customer(id, parameters)
        case .balance: return balance()
        }
    }

    // MARK: Finding what a request names

    func foundIntent(_ id: String) throws(StripeFailure) -> Kept<Intent> {
        guard let intent = store.intent(id, in: visit.scope) else {
            throw .noSuch("payment_intent", id, param: "intent", status: 404)
        }
        return intent
    }

    func foundCharge(_ id: String) throws(StripeFailure) -> Kept<Charge> {
        guard let charge = store.charge(id, in: visit.scope) else {
            throw .noSuch("charge", id, param: "id", status: 404)
        }
        return charge
    }

    /// The customer that a parameter names, once execution has begun.
    func namedCustomer(_ id: String?) throws(StripeFailure) -> Kept<Customer>? {
        guard let id else { return nil }
        guard let customer = store.customer(id, in: visit.scope) else {
            throw .noSuch("customer", id, param: "customer").saved
        }
        return customer
    }

    // MARK: Tokens

    /// The card of a token, which is thereby used. A refused charge spends it too.
    func spend(token id: String, param: String) throws(StripeFailure) -> Card {
        let policy = sandbox.settings.singleUseTokens
        if let test = TestCards.index(token: id) {
            guard !visit.isLive else {
                var failure = StripeFailure.noSuch("token", id, param: param).saved
                failure.message +=
                    "; a similar object exists in test mode, but a live mode key was used to make this request."
                throw failure
            }
            if policy == .all {
                if let busyUntil = store.usedNames[id] { throw used(id, busyUntil, param) }
                store.usedNames[id] = visit.answeredAt
            }
            return .named(test, now: visit.now)
        }
        guard let kept = store.token(id, in: visit.scope) else { throw .noSuch("token", id, param: param).saved }
        var token = kept.value
        if token.isUsed, policy != .none { throw used(id, token.busyUntil, param) }
        token.isUsed = true
        token.busyUntil = visit.answeredAt
        store.keep(token)
        return token.card
    }

    private func used(_ id: String, _ busyUntil: Int64, _ param: String) -> StripeFailure {
        guard busyUntil > visit.instant.monotonic else {
            return StripeFailure(
                "You cannot use a Stripe token more than once: \(id).", code: "token_already_used", param: param
            ).saved
        }
        return StripeFailure(
            "You cannot use a token more than once, and another request is using it right now: \(id).",
            code: "token_in_use", param: param
        ).saved
    }

    /// A new payment method from a token.
    func method(fromToken id: String, param: String) throws(StripeFailure) -> Kept<PaymentMethod> {
        let card = try spend(token: id, param: param)
        return store.keep(
            PaymentMethod(number: store.nextMethod, scope: visit.scope, created: visit.now, card: card))
    }
}
