import Charging

/// `POST /v1/payment_intents` and `POST /v1/charges`.
extension SimulatedStripe {
    /// What executing a request comes to.
    private struct Execution {
        var answer: StripeAnswer
        /// What is made; nil when nothing is.
        var payment: Payment?
        /// Whether the token is spent.
        var spends = true
    }

    /// How an execution fails.
    private enum Failing {
        /// Before anything was done; the key is as new.
        case before
        /// The failure is stored, nothing is done.
        case storedNothing
        /// The failure is stored, all is done.
        case storedDone
        /// The failure is stored, and it is done later.
        case storedLater(Int64)
        /// It is done and stored well; something in front of it answers 502.
        case gateway
    }

    /// One request that has arrived.
    func serveCharge(key text: String, charge: Int, form bytes: [UInt8], flow: Flow) -> Served {
        if let stopped = gate() { return stopped }
        if let known = replay(text, .charge(flow), bytes, charge: charge) {
            // What is checked before the key is looked up is not documented. Only where one message carries the charge:
            // another that was never sent could not know better.
            guard case .answered(let answer) = known.outcome, answer.replayed, answer.status == 200,
                !world.audit.hasCopies(charge),
                world.strikes(world.weather.fickle)
            else { return known }
            return refusal(
                400, StripeError(type: "invalid_request_error", code: "parameter_invalid_integer", param: "amount"))
        }
        if world.strikes(world.weather.lockTimeout) {
            return refusal(429, StripeError(type: "invalid_request_error", code: "lock_timeout"))
        }
        let form = SentForm(bytes, flow: flow)
        if form.confirms, let invalid = validate(form, flow) {
            if world.weather.storesRejections, case .answered(let answer) = invalid.outcome {
                store(text, .charge(flow), bytes, charge: charge).answer = answer
            }
            return invalid
        }
        let key = store(text, .charge(flow), bytes, charge: charge)
        return execute(form, flow, key, charge: charge)
    }

    private func validate(_ form: SentForm, _ flow: Flow) -> Served? {
        func spent(_ card: Card, _ code: String) -> Served {
            let isToken = card.kind == .token
            let param = flow == .charges ? "source" : isToken ? "payment_method_data[card][token]" : "payment_method"
            return refusal(
                400, StripeError(type: "invalid_request_error", code: isToken ? code : nil, param: param))
        }
        guard let card = card(form.token) else {
            let param = flow == .charges ? "source" : "payment_method"
            return refusal(400, StripeError(type: "invalid_request_error", code: "resource_missing", param: param))
        }
        if card.isBurnt || (card.isUsed && !card.isReusable) { return spent(card, "token_already_used") }
        if card.inUse > 0 && !card.isReusable { return spent(card, "token_in_use") }
        if case .tooLarge = card.fate {
            return refusal(
                400, StripeError(type: "invalid_request_error", code: "amount_too_large", param: "amount"))
        }
        return nil
    }

    private func execute(_ form: SentForm, _ flow: Flow, _ key: StoredKey, charge: Int) -> Served {
        let card = card(form.token)
        let execution = outcome(form, flow, card?.fate)
        var work = world.random.between(50, 400)
        if world.strikes(world.weather.slow) { work = world.random.between(20_000, 90_000) }
        card?.inUse += 1
        let failing = world.strikes(world.weather.failures) ? drawFailing() : nil
        let status = world.random.one(of: [500, 500, 502, 503, 504])
        later(work) { [unowned(unsafe) self] in
            card?.inUse -= 1
            switch failing {
            case nil, .gateway:
                key.answer = execution.answer
                make(execution, card)
            case .before:
                forget(key, charge: charge)
            case .storedNothing:
                key.answer = failureAnswer(status)
            case .storedDone:
                key.answer = failureAnswer(status)
                make(execution, card)
            case .storedLater(let delay):
                key.answer = failureAnswer(status)
                makeLater(execution, card, delay)
            }
        }
        guard failing != nil else { return Served(work, execution.answer) }
        return Served(work, failureAnswer(status))
    }

    private func drawFailing() -> Failing {
        switch world.random.below(10) {
        case 0...3: .before
        case 4: .storedNothing
        case 5, 6: .storedDone
        case 7: .storedLater(world.random.between(1000, 10 * Weather.minute))
        default: .gateway
        }
    }

    private func make(_ execution: Execution, _ card: Card?) {
        if execution.spends { card?.isUsed = true }
        guard let payment = execution.payment else { return }
        add(payment)
        follow(payment, card?.fate)
    }

    /// The stored failure was not the last word. Whether the token is spent at once or only then is Stripe's secret.
    private func makeLater(_ execution: Execution, _ card: Card?, _ delay: Int64) {
        let atOnce = world.random.happens(0.5)
        if atOnce && execution.spends { card?.isUsed = true }
        later(delay) { [unowned(unsafe) self] in
            guard atOnce || card.map({ !$0.isBurnt && ($0.isReusable || !$0.isUsed) }) ?? true else { return }
            make(execution, card)
        }
    }

    /// Payments that do not stay as they were made.
    private func follow(_ payment: Payment, _ fate: Fate?) {
        switch (payment.state, fate) {
        case (.processing, .settlesLate(let delay, let succeeds)):
            later(delay) { [unowned(unsafe) self] in
                guard payment.state == .processing else { return }
                let paid: Payment.State = payment.form.captures ? .succeeded : .requiresCapture
                change(payment, to: succeeds ? paid : .declined, failure: succeeds ? nil : Self.decline(payment))
            }
        case (.waitsForBuyer, _):
            let comes = world.random.happens(0.5)
            later(world.random.between(5 * Weather.minute, 6 * Weather.hour)) { [unowned(unsafe) self] in
                guard comes, payment.state == .waitsForBuyer else { return }
                change(payment, to: payment.form.captures ? .succeeded : .requiresCapture)
            }
        default: break
        }
    }

    private static func decline(_ payment: Payment, code: String = "card_declined") -> StripeError {
        var error = StripeError(type: "card_error", code: code)
        error.declineCode = code == "card_declined" ? "insufficient_funds" : code
        error.chargeID = code == "card_declined" || payment.flow == .charges ? payment.chargeID : nil
        return error
    }

    private func outcome(_ form: SentForm, _ flow: Flow, _ fate: Fate?) -> Execution {
        func payment(_ state: Payment.State) -> Payment {
            Payment(
                number: nextNumber(), charge: world.index(ofID: form.chargelineID), flow: flow, form: form,
                created: world.now, state: state)
        }
        func made(_ state: Payment.State) -> Execution {
            let payment = payment(state)
            let answer = StripeAnswer(status: 200, requestID: requestID, body: .object(payment.answer()))
            return Execution(answer: answer, payment: payment)
        }
        func declined(_ code: String) -> Execution {
            let payment = payment(.declined)
            var error = Self.decline(payment, code: code)
            payment.failure = error
            if flow == .paymentIntents {
                error.paymentIntent = StripeObjectReference(id: payment.intentID, status: "requires_payment_method")
            }
            return Execution(
                answer: StripeAnswer(status: 402, requestID: requestID, body: .error(error)), payment: payment)
        }
        guard form.confirms else { return made(.open) }
        switch fate {
        case .succeeds, .tooLarge, .missing, nil: return made(form.captures ? .succeeded : .requiresCapture)
        case .declines: return declined("card_declined")
        case .needsAuthentication: return declined("authentication_required")
        case .waitsForBuyer: return flow == .charges ? declined("authentication_required") : made(.waitsForBuyer)
        case .settlesLate: return made(.processing)
        case .notAllowed:
            let error = StripeError(type: "invalid_request_error")
            return Execution(
                answer: StripeAnswer(status: 402, requestID: requestID, body: .error(error)), payment: nil,
                spends: false)
        }
    }
}
