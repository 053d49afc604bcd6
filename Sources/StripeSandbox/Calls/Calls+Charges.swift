extension Calls {
    /// The older flow: one call that charges.
    func createCharge(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge)
        var purchase = try chargePurchase(parameters)
        let sent = try parameters.text("source")
        let source = if let sent { sent } else { try parameters.text("card") }
        let customerID = try parameters.text("customer", atMost: 500)
        let capture = try parameters.flag("capture", default: true)
        guard source != nil || customerID != nil else {
            throw StripeFailure("Must provide source or customer.", code: "parameter_missing")
        }
        if let source, source.hasPrefix("pm_") {
            throw .wrong(
                "source",
                "Invalid source: '\(source)' is a PaymentMethod. PaymentMethods cannot be used with the Charges API; "
                    + "use the Payment Intents API instead.")
        }
        try visit.beginExecution()
        let customer = try namedCustomer(customerID)
        purchase.customer = customer?.value.number
        let (card, number) = try payingCard(source, customer?.value)
        var refusal: Decline?
        // The older flow cannot ask the buyer to authenticate: the bank refuses.
        if case .authenticate = card.facts.outcome { refusal = .authenticationRequired }
        let cashier = Cashier(store: store, ledger: ledger, visit: visit)
        let charge = cashier.charge(Kept(purchase), card, .card(number), capture: capture, decline: refusal)
        if let decline = charge.value.decline { throw .card(decline, charge: charge.value.number) }
        return .charge(store.view(charge, expand))
    }

    private func chargePurchase(_ parameters: Parameters) throws(StripeFailure) -> Purchase {
        let (amount, currency) = try AmountRules.read(parameters, largest: sandbox.settings.largestAmount)
        var purchase = Purchase(amount: amount, currency: currency)
        purchase.description = try parameters.text("description", atMost: 40_000)
        purchase.receiptEmail = try parameters.email("receipt_email")
        _ = try Descriptor.checked(parameters, "statement_descriptor")
        purchase.suffix = try Descriptor.suffix(parameters)
        purchase.metadata = Metadata(try parameters.metadata())
        return purchase
    }

    /// The card of a source: a token, a customer's card by its id, or the customer's only one.
    private func payingCard(_ source: String?, _ customer: Customer?) throws(StripeFailure) -> (Card, Int) {
        guard let source else {
            guard let card = customer?.card, let number = customer?.cardNumber else {
                throw StripeFailure(
                    "Cannot charge a customer that has no active card.", status: 402, code: "missing", param: "card"
                ).saved.asCardError
            }
            return (card, number)
        }
        if source.hasPrefix("card_") {
            guard let customer else { throw StripeFailure.noSuch("source", source, param: "source").saved }
            guard let card = customer.card, let number = customer.cardNumber,
                store.ids.text(.card, number) == source
            else {
                throw StripeFailure(
                    "Customer \(store.ids.text(.customer, customer.number)) does not have a linked source with ID "
                        + "\(source).", status: 404, code: "missing", param: "source"
                ).saved
            }
            return (card, number)
        }
        guard source.hasPrefix("tok_") else { throw StripeFailure.noSuch("source", source, param: "source").saved }
        return (try spend(token: source, param: "source"), store.nextCard())
    }

    func charge(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge)
        return .charge(store.view(disputed(try foundCharge(id)), expand))
    }

    /// A dispute shows up after the answer, on a later look.
    func disputed(_ kept: Kept<Charge>) -> Kept<Charge> {
        let charge = kept.value
        guard charge.card.facts.outcome == .dispute, charge.movesMoney, charge.captured, !charge.isDisputed else {
            return kept
        }
        var changed = charge
        changed.isDisputed = true
        return store.keep(changed)
    }

    func updateCharge(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge)
        var purchase = try foundCharge(id).value.purchase.value
        purchase.description = try parameters.text("description", atMost: 40_000) ?? purchase.description
        purchase.receiptEmail = try parameters.email("receipt_email") ?? purchase.receiptEmail
        purchase.metadata = purchase.metadata.merging(try parameters.metadata())
        try visit.beginExecution()
        let charge = try foundCharge(id).value.with(Kept(purchase))
        return .charge(store.view(store.keep(charge), expand))
    }

    func captureCharge(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge)
        let charge = try foundCharge(id)
        let amount = try parameters.integer("amount") ?? charge.value.amount
        guard amount >= 1 else { throw .notInteger("amount", String(amount)) }
        try visit.beginExecution()
        guard charge.value.status == .succeeded, !charge.value.isRefunded else {
            throw StripeFailure(
                "Charge \(id) could not be captured because it has failed or was released.",
                code: "charge_not_capturable"
            ).saved
        }
        guard !charge.value.captured else {
            throw StripeFailure("Charge \(id) has already been captured.", code: "charge_already_captured").saved
        }
        guard charge.value.intent == nil else {
            throw StripeFailure(
                "This charge was made by a PaymentIntent; capture the PaymentIntent instead.", param: "charge"
            ).saved
        }
        guard amount <= charge.value.amount else {
            throw StripeFailure(
                "Amount to capture may not be more than the authorized amount.", code: "amount_too_large",
                param: "amount"
            ).saved
        }
        let cashier = Cashier(store: store, ledger: ledger, visit: visit)
        return .charge(store.view(cashier.capture(charge, amount: amount), expand))
    }
}
