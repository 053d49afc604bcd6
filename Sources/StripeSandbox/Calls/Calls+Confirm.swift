extension Calls {
    /// What pays: the instrument, and the card behind it.
    struct Payer {
        let instrument: Instrument
        let card: Card
    }

    /// Finds or makes what a confirmation pays with; nil when it names nothing.
    func payer(_ attempt: Confirmation, customer: Int?) throws(StripeFailure) -> Payer? {
        if let token = attempt.token {
            let spent = try spend(token: token, param: "payment_method_data[card][token]")
            let card = Card(
                test: spent.test, expiryMonth: spent.expiryMonth, expiryYear: spent.expiryYear, hasCVC: spent.hasCVC,
                billing: attempt.billing ?? spent.billing)
            let method = store.keep(
                PaymentMethod(number: store.nextMethod, scope: visit.scope, created: visit.now, card: card))
            return Payer(instrument: .method(method.value.number), card: card)
        }
        guard let id = attempt.method else { return nil }
        if id.hasPrefix("card_") {
            guard let customer, let card = store.customers[customer].value.card,
                let number = store.customers[customer].value.cardNumber, store.ids.text(.card, number) == id
            else { throw StripeFailure.noSuch("PaymentMethod", id, param: "payment_method").saved }
            return Payer(instrument: .card(number), card: card)
        }
        let method = try namedMethod(id, param: "payment_method").value
        return Payer(instrument: .method(method.number), card: method.card)
    }

    func confirmIntent(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        let attempt = try Confirmation.read(parameters, confirms: true)
        let found = try foundIntent(id)
        var intent = found.value
        try visit.beginExecution()
        switch intent.status {
        case .requiresMethod, .requiresConfirmation, .requiresAction: break
        case .succeeded, .requiresCapture:
            throw .unexpectedState(
                "You cannot confirm this PaymentIntent because it has already succeeded after being previously "
                    + "confirmed.", store.view(found))
        case .processing, .canceled:
            throw .unexpectedState(
                "You cannot confirm this PaymentIntent because it has a status of \(intent.status.rawValue). Only a "
                    + "PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, "
                    + "requires_action.", store.view(found))
        }
        if let payer = try payer(attempt, customer: intent.purchase.value.customer) {
            intent.instrument = payer.instrument
            intent.card = payer.card
        }
        guard intent.instrument != nil else { throw nothingToPayWith(found) }
        intent.returnURL = attempt.returnURL ?? intent.returnURL
        return .intent(store.view(try confirm(intent, attempt), expand))
    }

    /// Tries the card. A refusal leaves the intent without a payment method, and throws.
    func confirm(_ intent: Intent, _ attempt: Confirmation) throws(StripeFailure) -> Kept<Intent> {
        guard let instrument = intent.instrument, let card = intent.card else { throw nothingToPayWith(Kept(intent)) }
        if case .authenticate = card.facts.outcome, !attempt.isOffSession {
            return try authenticate(intent, instrument, attempt)
        }
        var intent = intent
        var refusal: Decline?
        if case .authenticate = card.facts.outcome { refusal = .authenticationRequired }
        let cashier = Cashier(store: store, ledger: ledger, visit: visit)
        let charge = cashier.charge(
            intent.purchase, card, instrument, intent: intent.number, capture: intent.capture != .manual,
            decline: refusal
        ).value
        intent.latestCharge = charge.number
        if let decline = charge.decline {
            throw .card(decline, charge: charge.number, intent: refused(intent, decline, instrument))
        }
        intent.failure = nil
        intent.failedInstrument = nil
        intent.status = charge.captured ? .succeeded : .requiresCapture
        intent.amountReceived = charge.amountCaptured
        intent.amountCapturable = charge.captured ? 0 : charge.amount
        keepMethod(intent)
        return store.keep(intent)
    }

    /// Nobody is refused here: the buyer has to act, which an unattended caller may have ruled out.
    private func authenticate(
        _ intent: Intent, _ instrument: Instrument, _ attempt: Confirmation
    ) throws(StripeFailure) -> Kept<Intent> {
        var intent = intent
        if attempt.failsOnAction {
            var decline = Decline.authenticationRequired
            decline.declineCode = "authentication_not_handled"
            decline.message =
                "This payment required an authentication action to complete, but `error_on_requires_action` was set."
            intent.failedBeforeCharge = true
            note(intent, "failed", decline.code)
            throw .card(Kept(decline), intent: refused(intent, Kept(decline), instrument))
        }
        intent.status = .requiresAction
        note(intent, "requires_action", nil)
        return store.keep(intent)
    }

    private func refused(_ intent: Intent, _ decline: Kept<Decline>, _ instrument: Instrument) -> IntentView {
        var intent = intent
        intent.status = .requiresMethod
        intent.instrument = nil
        intent.card = nil
        intent.failure = decline
        intent.failedInstrument = instrument
        return store.view(store.keep(intent))
    }

    private func note(_ intent: Intent, _ status: String, _ code: String?) {
        ledger.add(
            Ledger.Attempt(
                intent: intent.number, purchase: intent.purchase, status: status, code: code,
                idempotencyKey: visit.key, created: visit.now))
    }

    /// A payment method that has paid stays with its customer if that was asked for, and is spent if it has none.
    private func keepMethod(_ intent: Intent) {
        guard var method = store.method(of: intent.instrument)?.value else { return }
        let wasKept = method.customer
        if intent.setupFutureUsage != nil { method.customer = method.customer ?? intent.purchase.value.customer }
        let isSpent = method.customer == nil && sandbox.settings.singleUseTokens != .none
        guard isSpent != method.isSpent || method.customer != wasKept else { return }
        method.isSpent = isSpent
        store.keep(method)
    }

    func captureIntent(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        let asked = try parameters.integer("amount_to_capture")
        if let asked, asked < 1 { throw .notInteger("amount_to_capture", String(asked)) }
        let found = try foundIntent(id)
        try visit.beginExecution()
        var intent = found.value
        guard intent.status == .requiresCapture, let charge = intent.latestCharge else {
            throw .unexpectedState(
                "This PaymentIntent could not be captured because it has a status of \(intent.status.rawValue). Only a "
                    + "PaymentIntent with one of the following statuses may be captured: requires_capture.",
                store.view(found))
        }
        let amount = asked ?? intent.amountCapturable
        guard amount <= intent.amountCapturable else {
            throw StripeFailure(
                "The amount to capture may not be more than the amount that can be captured.", code: "amount_too_large",
                param: "amount_to_capture"
            ).saved
        }
        _ = Cashier(store: store, ledger: ledger, visit: visit).capture(store.charges[charge], amount: amount)
        intent.status = .succeeded
        intent.amountReceived = amount
        intent.amountCapturable = 0
        return .intent(store.view(store.keep(intent), expand))
    }

    func cancelIntent(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        let reason = try parameters.word(
            "cancellation_reason", among: "duplicate", "fraudulent", "requested_by_customer", "abandoned")
        let found = try foundIntent(id)
        try visit.beginExecution()
        var intent = found.value
        guard intent.status != .succeeded, intent.status != .canceled else {
            throw .unexpectedState(
                "You cannot cancel this PaymentIntent because it has a status of \(intent.status.rawValue). Only a "
                    + "PaymentIntent with one of the following statuses may be canceled: requires_payment_method, "
                    + "requires_capture, requires_confirmation, requires_action, processing.", store.view(found))
        }
        if intent.status == .requiresCapture, let charge = intent.latestCharge {
            _ = Cashier(store: store, ledger: ledger, visit: visit).release(store.charges[charge])
        }
        intent.status = .canceled
        intent.canceledAt = visit.now
        intent.cancellationReason = reason
        intent.amountCapturable = 0
        return .intent(store.view(store.keep(intent), expand))
    }
}
