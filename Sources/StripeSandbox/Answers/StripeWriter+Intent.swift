internal import JSONText

extension StripeWriter {
    /// A payment intent (fixtures of stripe/openapi).
    mutating func intent(_ view: IntentView) {
        let intent = view.intent.value
        let purchase = intent.purchase.value
        let id = ids.text(.intent, intent.number)
        json.beginObject()
        json.field("id", id)
        json.field("object", "payment_intent")
        json.field("amount", intent.amount)
        json.field("amount_capturable", intent.amountCapturable)
        json.name("amount_details")
        json.beginObject()
        emptyObject("tip")
        json.endObject()
        json.field("amount_received", intent.amountReceived)
        nulls("application", "application_fee_amount")
        automaticMethods(intent.methods)
        time("canceled_at", intent.canceledAt)
        json.field("cancellation_reason", intent.cancellationReason)
        json.field("capture_method", intent.capture.rawValue)
        json.field("client_secret", "\(id)_secret_\(ids.text(.secret, intent.number))")
        json.field("confirmation_method", "automatic")
        time("created", intent.created)
        json.field("currency", purchase.currency)
        customer(purchase.customer, view.expand.contains(.customer) ? view.customer : nil)
        json.field("description", purchase.description)
        nulls("excluded_payment_method_types")
        lastPaymentError(view)
        latestCharge(view)
        json.field("livemode", false)
        metadata(purchase.metadata)
        nextAction(intent, id)
        nulls("on_behalf_of")
        if view.expand.contains(.method), let method = view.method {
            json.name("payment_method")
            self.method(method, customer: nil)
        } else {
            json.field("payment_method", intent.instrument.map(text))
        }
        nulls("payment_method_configuration_details")
        methodOptions()
        methodTypes(intent.methods)
        nulls("processing")
        json.field("receipt_email", purchase.receiptEmail)
        nulls("review")
        json.field("setup_future_usage", intent.setupFutureUsage)
        nulls("shipping", "source", "statement_descriptor")
        json.field("statement_descriptor_suffix", purchase.suffix)
        json.field("status", intent.status.rawValue)
        nulls("transfer_data", "transfer_group")
        json.endObject()
    }

    private mutating func latestCharge(_ view: IntentView) {
        guard view.expand.contains(.latestCharge), let charge = view.charge else {
            return json.field("latest_charge", view.intent.value.latestCharge.map { ids.text(.charge, $0) })
        }
        json.name("latest_charge")
        self.charge(ChargeView(charge: charge, expand: view.expand.intersection([.balanceTransaction, .refunds])))
    }

    private mutating func automaticMethods(_ methods: Intent.Methods) {
        guard case .automatic(let redirects) = methods else { return nulls("automatic_payment_methods") }
        json.name("automatic_payment_methods")
        json.beginObject()
        json.field("allow_redirects", redirects ? "always" : "never")
        json.field("enabled", true)
        json.endObject()
    }

    private mutating func methodTypes(_ methods: Intent.Methods) {
        json.name("payment_method_types")
        json.beginArray()
        if case .listed(let types) = methods { types.forEach { json.value($0) } } else { json.value("card") }
        json.endArray()
    }

    private mutating func lastPaymentError(_ view: IntentView) {
        let intent = view.intent.value
        guard let failure = intent.failure else { return nulls("last_payment_error") }
        json.name("last_payment_error")
        json.beginObject()
        declineFields(
            failure.value, charge: intent.failedBeforeCharge ? nil : intent.latestCharge, namesEveryReason: true)
        json.field("message", failure.value.message)
        json.fieldIfPresent("param", failure.value.param)
        if let method = view.failedMethod {
            json.name("payment_method")
            self.method(method, customer: nil)
        }
        json.field("type", "card_error")
        json.endObject()
    }

    private mutating func nextAction(_ intent: Intent, _ id: String) {
        guard intent.status == .requiresAction else { return nulls("next_action") }
        let page = "https://hooks.stripe.com/3d_secure_2/hosted?payment_intent=\(id)"
        json.name("next_action")
        json.beginObject()
        if let returnURL = intent.returnURL {
            json.name("redirect_to_url")
            json.beginObject()
            json.field("return_url", returnURL)
            json.field("url", page)
            json.endObject()
            json.field("type", "redirect_to_url")
        } else {
            json.field("type", "use_stripe_sdk")
            json.name("use_stripe_sdk")
            json.beginObject()
            json.field("type", "three_d_secure_redirect")
            json.field("stripe_js", page)
            json.endObject()
        }
        json.endObject()
    }

    private mutating func methodOptions() {
        json.name("payment_method_options")
        json.beginObject()
        json.name("card")
        json.beginObject()
        nulls("installments", "mandate_options", "network")
        json.field("request_three_d_secure", "automatic")
        json.endObject()
        json.endObject()
    }
}
