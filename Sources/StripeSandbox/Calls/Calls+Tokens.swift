extension Calls {
    func createToken(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        guard parameters.form.mentions("card") else {
            throw StripeFailure(
                "You must supply either a card, customer, bank account, PII data, account or person to create a token.",
                code: "parameter_missing", param: "card")
        }
        let billing = try Self.legacyBilling(parameters)
        let card = try CardNumber.read(parameters, billing: billing, now: visit.now)
        if visit.isLive { throw .card(Kept(.testCardInLiveMode)).unsaved }
        _ = try Expansion.read(parameters.form, .none)
        try visit.beginExecution()
        return .token(
            store.keep(
                CardToken(
                    number: store.nextToken, scope: visit.scope, created: visit.now, card: card,
                    cardNumber: store.nextCard())))
    }

    func token(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        if let test = TestCards.index(token: id) {
            let card = Card.named(test, now: visit.now)
            return .token(
                Kept(CardToken(number: test, scope: visit.scope, created: visit.now, card: card, cardNumber: test)))
        }
        guard let token = store.token(id, in: visit.scope) else {
            throw .noSuch("token", id, param: "token", status: 404)
        }
        return .token(token)
    }

    private static func legacyBilling(_ parameters: Parameters) throws(StripeFailure) -> Kept<Billing>? {
        var billing = Billing()
        billing.name = try parameters.text("card[name]")
        billing.line1 = try parameters.text("card[address_line1]")
        billing.line2 = try parameters.text("card[address_line2]")
        billing.city = try parameters.text("card[address_city]")
        billing.state = try parameters.text("card[address_state]")
        billing.postalCode = try parameters.text("card[address_zip]")
        billing.country = try parameters.text("card[address_country]")
        return billing.isEmpty ? nil : Kept(billing)
    }

    // MARK: Payment methods

    func createMethod(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .method)
        guard let type = try parameters.text("type") else { throw .missing("type") }
        guard type == "card" else {
            throw .wrong("type", "Invalid type: the sandbox makes payment methods of type card only.")
        }
        let metadata = Metadata(try parameters.metadata())
        let billing = try Self.billing(parameters, "billing_details")
        let token = try parameters.text("card[token]")
        guard token != nil || parameters.form["card[number]"] != nil else { throw .missing("card") }
        let typed = token == nil ? try CardNumber.read(parameters, billing: billing, now: visit.now) : nil
        try visit.beginExecution()
        let card: Card
        if let typed {
            card = typed
        } else {
            let spent = try spend(token: token ?? "", param: "card[token]")
            card = Card(
                test: spent.test, expiryMonth: spent.expiryMonth, expiryYear: spent.expiryYear, hasCVC: spent.hasCVC,
                billing: billing ?? spent.billing)
        }
        let method = PaymentMethod(
            number: store.nextMethod, scope: visit.scope, created: visit.now, card: card, metadata: metadata)
        return .method(store.view(store.keep(method), expand))
    }

    func method(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .method)
        if let test = TestCards.index(method: id) {
            let card = Card.named(test, now: visit.now)
            let method = PaymentMethod(
                number: store.nextMethod, scope: visit.scope, created: visit.now, card: card)
            return .method(MethodView(method: store.keep(method)))
        }
        guard let method = store.method(id, in: visit.scope) else {
            throw .noSuch("PaymentMethod", id, param: "payment_method", status: 404)
        }
        return .method(store.view(method, expand))
    }

    func attachMethod(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .method)
        let customerID = try parameters.requiredText("customer")
        try visit.beginExecution()
        let customer = try namedCustomer(customerID)
        var method = try namedMethod(id, param: "payment_method").value
        if let refusal = method.card.facts.refusesAttachment { throw .card(Kept(refusal)) }
        method.customer = customer?.value.number
        return .method(store.view(store.keep(method), expand))
    }

    /// `billing_details[…]`.
    static func billing(_ parameters: Parameters, _ parent: String) throws(StripeFailure) -> Kept<Billing>? {
        guard parameters.form.mentions(parent) else { return nil }
        var billing = Billing()
        billing.name = try parameters.text("\(parent)[name]")
        billing.email = try parameters.email("\(parent)[email]")
        billing.phone = try parameters.text("\(parent)[phone]")
        billing.line1 = try parameters.text("\(parent)[address][line1]")
        billing.line2 = try parameters.text("\(parent)[address][line2]")
        billing.city = try parameters.text("\(parent)[address][city]")
        billing.state = try parameters.text("\(parent)[address][state]")
        billing.postalCode = try parameters.text("\(parent)[address][postal_code]")
        billing.country = try parameters.text("\(parent)[address][country]")
        return billing.isEmpty ? nil : Kept(billing)
    }

    /// The payment method that a parameter names: one of ours, or a new one for a test name.
    func namedMethod(_ id: String, param: String) throws(StripeFailure) -> Kept<PaymentMethod> {
        if let test = TestCards.index(method: id), !visit.isLive {
            return store.keep(
                PaymentMethod(
                    number: store.nextMethod, scope: visit.scope, created: visit.now,
                    card: .named(test, now: visit.now)))
        }
        guard let method = store.method(id, in: visit.scope) else {
            throw .noSuch("PaymentMethod", id, param: param).saved
        }
        if sandbox.settings.singleUseTokens != .none, method.value.isSpent, method.value.customer == nil {
            throw StripeFailure(
                "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or "
                    + "was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, "
                    + "you must attach it to a Customer first.", param: param
            ).saved
        }
        return method
    }
}
