extension Calls {
    /// Makes a payment intent, and confirms it at once if asked.
    func createIntent(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        var purchase = try intentPurchase(parameters)
        let confirms = try parameters.flag("confirm")
        let attempt = try Confirmation.read(parameters, confirms: confirms)
        let customerID = try parameters.text("customer")
        var intent = Intent(
            number: 0, scope: visit.scope, created: visit.now, purchase: Kept(purchase))
        try readOptions(&intent, parameters)
        try visit.beginExecution()
        purchase.customer = try namedCustomer(customerID)?.value.number
        let payer = try payer(attempt, customer: purchase.customer)
        intent = intent.placed(store.nextIntent, Kept(purchase))
        intent.returnURL = attempt.returnURL
        if let payer {
            intent.instrument = payer.instrument
            intent.card = payer.card
            intent.status = .requiresConfirmation
        }
        ledger.made(intent)
        guard confirms else { return .intent(store.view(store.keep(intent), expand)) }
        guard payer != nil else {
            throw nothingToPayWith(store.keep(intent))
        }
        if intent.methods == .automatic(redirects: true), attempt.returnURL == nil {
            intent.status = .requiresConfirmation
            var failure = Self.returnURLMissing.saved
            failure.intent = store.view(store.keep(intent))
            throw failure
        }
        return .intent(store.view(try confirm(intent, attempt), expand))
    }

    /// As seen live in woocommerce-payments#487 and flutter_stripe#1236.
    func nothingToPayWith(_ intent: Kept<Intent>) -> StripeFailure {
        .unexpectedState(
            "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the "
                + "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a "
                + "payment method or ConfirmationToken.", store.view(intent))
    }

    private static let returnURLMissing = StripeFailure(
        "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these "
            + "payment methods might redirect your customer off of your page, you must provide a `return_url`. If you "
            + "don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` "
            + "and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment "
            + "Intents.", param: "return_url")

    private func intentPurchase(_ parameters: Parameters) throws(StripeFailure) -> Purchase {
        let (amount, currency) = try AmountRules.read(parameters, largest: sandbox.settings.largestAmount)
        var purchase = Purchase(amount: amount, currency: currency)
        purchase.description = try parameters.text("description", atMost: 1_000)
        purchase.receiptEmail = try parameters.email("receipt_email")
        if try parameters.text("statement_descriptor") != nil {
            throw .wrong(
                "statement_descriptor",
                "The `statement_descriptor` parameter is not supported for card charges. Please use "
                    + "`statement_descriptor_suffix` instead.")
        }
        purchase.suffix = try Descriptor.suffix(parameters)
        purchase.metadata = Metadata(try parameters.metadata())
        return purchase
    }

    private func readOptions(_ intent: inout Intent, _ parameters: Parameters) throws(StripeFailure) {
        if let word = try parameters.word("capture_method", among: "automatic", "automatic_async", "manual") {
            intent.capture = Intent.Capture(rawValue: word) ?? .automaticAsync
        }
        intent.setupFutureUsage = try parameters.word("setup_future_usage", among: "off_session", "on_session")
        _ = try parameters.word("confirmation_method", among: "automatic", "manual")
        let types = parameters.form.list("payment_method_types")
        let automatic = try parameters.flag("automatic_payment_methods[enabled]", default: types.isEmpty)
        let redirects = try parameters.word(
            "automatic_payment_methods[allow_redirects]", among: "always", "never")
        if automatic, !types.isEmpty {
            throw .wrong(
                "payment_method_types",
                "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.")
        }
        for type in types where type != "card" {
            throw .wrong(
                "payment_method_types",
                "The payment method type \"\(type)\" is invalid. The sandbox knows the type card only.")
        }
        intent.methods =
            automatic ? .automatic(redirects: redirects != "never") : .listed(types.isEmpty ? ["card"] : types)
    }

    func intent(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        let intent = try foundIntent(id)
        if let charge = intent.value.latestCharge { _ = disputed(store.charges[charge]) }
        return .intent(store.view(intent, expand))
    }

    func updateIntent(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent)
        var intent = try foundIntent(id).value
        var purchase = intent.purchase.value
        purchase.description = try parameters.text("description", atMost: 1_000) ?? purchase.description
        purchase.receiptEmail = try parameters.email("receipt_email") ?? purchase.receiptEmail
        purchase.suffix = try Descriptor.suffix(parameters) ?? purchase.suffix
        purchase.metadata = purchase.metadata.merging(try parameters.metadata())
        let methodID = try parameters.text("payment_method")
        if let amount = try parameters.integer("amount") {
            try AmountRules.check(amount, purchase.currency, largest: sandbox.settings.largestAmount)
            purchase.amount = amount
        }
        try visit.beginExecution()
        let isOpen = [.requiresMethod, .requiresConfirmation, .requiresAction].contains(intent.status)
        if purchase.amount != intent.amount || methodID != nil, !isOpen {
            throw .unexpectedState(
                "This PaymentIntent's amount could not be updated because it has a status of "
                    + "\(intent.status.rawValue).", store.view(Kept(intent)))
        }
        if let methodID {
            let method = try namedMethod(methodID, param: "payment_method").value
            intent.instrument = .method(method.number)
            intent.card = method.card
            intent.status = .requiresConfirmation
        }
        intent.purchase = Kept(purchase)
        return .intent(store.view(store.keep(intent), expand))
    }
}
