internal import JSONText

extension StripeWriter {
    /// `billing_details`.
    mutating func billingDetails(_ billing: Billing?) {
        let billing = billing ?? Billing()
        json.name("billing_details")
        json.beginObject()
        json.name("address")
        json.beginObject()
        json.field("city", billing.city)
        json.field("country", billing.country)
        json.field("line1", billing.line1)
        json.field("line2", billing.line2)
        json.field("postal_code", billing.postalCode)
        json.field("state", billing.state)
        json.endObject()
        json.field("email", billing.email)
        json.field("name", billing.name)
        json.field("phone", billing.phone)
        nulls("tax_id")
        json.endObject()
    }

    /// A payment method of type card.
    mutating func method(_ kept: Kept<PaymentMethod>, customer: Kept<Customer>?) {
        let method = kept.value
        let card = method.card
        json.beginObject()
        json.field("id", ids.text(.method, method.number))
        json.field("object", "payment_method")
        json.field("allow_redisplay", "unspecified")
        billingDetails(card.billing?.value)
        json.name("card")
        json.beginObject()
        json.field("brand", card.facts.brand.word)
        json.name("checks")
        checks(card)
        json.field("country", card.facts.country)
        json.field("display_brand", card.facts.brand.word)
        json.field("exp_month", card.expiryMonth)
        json.field("exp_year", card.expiryYear)
        json.field("fingerprint", fingerprint(card))
        json.field("funding", card.facts.funding)
        nulls("generated_from")
        json.field("last4", card.facts.last4)
        nulls("networks")
        json.field("regulated_status", "unregulated")
        nulls("three_d_secure_usage", "wallet")
        json.endObject()
        time("created", method.created)
        self.customer(method.customer, customer)
        json.field("livemode", false)
        metadata(method.metadata)
        json.field("type", "card")
        json.endObject()
    }

    mutating func checks(_ card: Card) {
        json.beginObject()
        json.field("address_line1_check", card.line1Check)
        json.field("address_postal_code_check", card.postalCodeCheck)
        json.field("cvc_check", card.cvcCheck)
        json.endObject()
    }

    /// The older card object, inside tokens and charges.
    mutating func legacyCard(_ card: Card, number: Int, customer: Int?) {
        let billing = card.billing?.value ?? Billing()
        json.beginObject()
        json.field("id", ids.text(.card, number))
        json.field("object", "card")
        json.field("address_city", billing.city)
        json.field("address_country", billing.country)
        json.field("address_line1", billing.line1)
        json.field("address_line1_check", card.line1Check)
        json.field("address_line2", billing.line2)
        json.field("address_state", billing.state)
        json.field("address_zip", billing.postalCode)
        json.field("address_zip_check", card.postalCodeCheck)
        json.field("brand", card.facts.brand.title)
        json.field("country", card.facts.country)
        customerReference(customer)
        json.field("cvc_check", card.cvcCheck)
        nulls("dynamic_last4")
        json.field("exp_month", card.expiryMonth)
        json.field("exp_year", card.expiryYear)
        json.field("fingerprint", fingerprint(card))
        json.field("funding", card.facts.funding)
        json.field("last4", card.facts.last4)
        emptyObject("metadata")
        json.field("name", billing.name)
        json.field("regulated_status", "unregulated")
        nulls("tokenization_method", "wallet")
        json.endObject()
    }

    /// The same for the same card number, as at Stripe.
    func fingerprint(_ card: Card) -> String {
        String(ids.text(.card, card.test &+ 1_000_000_000).suffix(16))
    }

    mutating func token(_ token: CardToken) {
        json.beginObject()
        json.field("id", ids.text(.token, token.number))
        json.field("object", "token")
        json.name("card")
        legacyCard(token.card, number: token.cardNumber, customer: nil)
        json.field("client_ip", "127.0.0.1")
        time("created", token.created)
        json.field("livemode", false)
        json.field("type", "card")
        json.field("used", token.isUsed)
        json.endObject()
    }

    mutating func customer(_ customer: Customer) {
        json.beginObject()
        json.field("id", ids.text(.customer, customer.number))
        json.field("object", "customer")
        nulls("address")
        json.field("balance", Int64(0))
        time("created", customer.created)
        nulls("currency")
        json.field("default_source", customer.cardNumber.map { ids.text(.card, $0) })
        json.field("delinquent", false)
        json.field("description", customer.description)
        nulls("discount")
        json.field("email", customer.email)
        json.field("invoice_prefix", String(ids.text(.customer, customer.number).suffix(8)).uppercased())
        json.field("livemode", false)
        metadata(customer.metadata)
        json.field("name", customer.name)
        nulls("phone")
        json.name("preferred_locales")
        json.beginArray()
        json.endArray()
        nulls("shipping")
        json.field("tax_exempt", "none")
        nulls("test_clock")
        json.endObject()
    }
}
