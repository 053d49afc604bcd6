/// Proving that a charge was never executed and never will be.
extension ChargeVisit {
    /// What an attempt to take a charge's key came to.
    enum Claim {
        /// Nothing was executed under it for as long as Stripe keeps a key, and nothing can be: it is ours.
        case claimed(StripeObject)
        /// A request has it: this charge, a twin, or another charge with the same id.
        case owned
        /// Stripe did not say.
        case unsure
    }

    /// Takes the charge's key for an intent that has no payment method, and cancels that intent.
    ///
    /// Whatever was executed in the last day has the key; what was executed before, a search finds.
    ///
    /// Stripe compares every later request under the key with this one and refuses it (api/idempotent_requests), so no
    /// copy of the charge can move money for a day; after that the age rule makes a copy search first, and it finds the
    /// cancelled intent. A one-time token is spent on nothing before: that keeps out copies which come later still and
    /// do not search.
    ///
    /// - Parameters:
    ///   - asked: when the charge's age was looked at, or the search begun. A process that was frozen since knows no
    ///     more: another may have executed the charge meanwhile, and Stripe forgotten the key again.
    ///   - isSearched: whether a search has just missed. Without one, a token that is spent may have been spent on this
    ///     charge, longer ago than Stripe keeps a key.
    func claim(_ charge: Charge, asked: Int64, isSearched: Bool) async -> Claim {
        let request = charge.request
        if let token = request.token, token.isOneTime {
            switch await burn(charge, token) {
            case .burnt: break
            case .used where isSearched: break
            case .used: return .unsure
            case .unsure: return .unsure
            }
        }
        guard SendRules.isFresh(asked, now: clock.now()) else { return .unsure }
        let outcome = await stripe.charge(
            request.id, form: ChargeForm.claim(request), flow: .paymentIntents, account: request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome else { return .unsure }
        switch answer.body {
        case .object(let object) where object.kind == .paymentIntent && object.chargelineID == request.id.text:
            guard let cancelled = await cancel(charge, object.id) else { return .unsure }
            return .claimed(cancelled)
        case .error(let error) where error.type == "idempotency_error": return .owned
        default: return .unsure
        }
    }

    /// Leaves a cancelled intent under a key of its own, so that whoever searches for the id finds it taken. False: not
    /// certain.
    func close(_ charge: Charge) async -> Bool {
        let request = charge.request
        let outcome = await stripe.charge(
            ChargeID(made: request.id.text + "/closed"), form: ChargeForm.claim(request), flow: .paymentIntents,
            account: request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome, case .object(let object) = answer.body else { return false }
        return await cancel(charge, object.id) != nil
    }

    /// Cancels an open intent of ours. Nil: it is not certain that it is cancelled.
    func cancel(_ charge: Charge, _ intent: String) async -> StripeObject? {
        let outcome = await stripe.cancel(
            charge.request.id, paymentIntent: intent, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome, case .object(let object) = answer.body, object.status == "canceled"
        else { return nil }
        return object
    }

    /// What an attempt to spend a token on nothing came to.
    enum Burn {
        /// No charge used it, and none ever will.
        case burnt
        /// Something used it.
        case used
        /// Stripe did not say.
        case unsure
    }

    /// Spends a one-time token on nothing.
    func burn(_ charge: Charge, _ token: CardToken) async -> Burn {
        let outcome = await stripe.burn(charge.request.id, token: token, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(outcome, nil))
        guard case .answered(let answer) = outcome else { return .unsure }
        switch answer.body {
        case .other("payment_method") where answer.status == 200: return .burnt
        case .error(let error) where error.code == "token_already_used": return .used
        // No charge can be paid with a token that there is not.
        case .error(let error) where error.code == "resource_missing": return .burnt
        default: return .unsure
        }
    }
}

extension ChargeForm {
    /// An intent of the charge's amount that nothing can pay: no payment method, not confirmed. It carries the charge's
    /// id and print.
    static func claim(_ request: ChargeRequest) -> [UInt8] {
        var writer = FormWriter(reserving: 256)
        writer.add("amount", request.amount)
        writer.add("currency", request.currency.code)
        writer.add("payment_method_types[0]", "card")
        writer.add("metadata[chargeline_id]", request.id.text)
        writer.add("metadata[chargeline_print]", ChargeForm(request, flow: .paymentIntents).print)
        return writer.bytes
    }
}
