internal import JSONText

extension StripeWriter {
    /// A charge. Failed ones look alike, with `paid` false and the reason.
    mutating func charge(_ view: ChargeView) {
        let charge = view.charge.value
        let purchase = charge.purchase.value
        let failed = charge.status == .failed
        json.beginObject()
        json.field("id", ids.text(.charge, charge.number))
        json.field("object", "charge")
        json.field("amount", charge.amount)
        json.field("amount_captured", charge.amountCaptured)
        json.field("amount_refunded", charge.amountRefunded)
        nulls("application", "application_fee", "application_fee_amount")
        balanceTransaction(charge, expanded: view.expand.contains(.balanceTransaction))
        billingDetails(charge.card.billing?.value)
        json.field("calculated_statement_descriptor", Descriptor.calculated(suffix: purchase.suffix))
        json.field("captured", charge.captured && !failed)
        time("created", charge.created)
        json.field("currency", purchase.currency)
        customer(purchase.customer, view.expand.contains(.customer) ? view.customer : nil)
        json.field("description", purchase.description)
        json.field("disputed", charge.isDisputed)
        nulls("failure_balance_transaction")
        json.field("failure_code", charge.decline?.value.code)
        json.field("failure_message", charge.decline?.value.message)
        emptyObject("fraud_details")
        json.field("livemode", false)
        metadata(purchase.metadata)
        nulls("on_behalf_of")
        outcome(charge)
        json.field("paid", !failed)
        if view.expand.contains(.intent), let intent = view.intent {
            json.name("payment_intent")
            self.intent(IntentView(intent: intent))
        } else {
            json.field("payment_intent", charge.intent.map { ids.text(.intent, $0) })
        }
        json.field("payment_method", text(charge.instrument))
        paymentMethodDetails(charge)
        emptyObject("radar_options")
        json.field("receipt_email", purchase.receiptEmail)
        nulls("receipt_number")
        json.field("receipt_url", failed ? nil : receipt(charge))
        json.field("refunded", charge.isRefunded)
        if view.expand.contains(.refunds) { refunds(charge) }
        nulls("review", "shipping")
        if case .card(let number) = charge.instrument {
            json.name("source")
            legacyCard(charge.card, number: number, customer: purchase.customer)
        } else {
            nulls("source")
        }
        nulls("source_transfer", "statement_descriptor")
        json.field("statement_descriptor_suffix", purchase.suffix)
        json.field("status", charge.status.rawValue)
        nulls("transfer_data", "transfer_group")
        json.endObject()
    }

    private func receipt(_ charge: Charge) -> String {
        "https://pay.stripe.com/receipts/payment/\(ids.text(.charge, charge.number).dropFirst(3))"
    }

    private mutating func balanceTransaction(_ charge: Charge, expanded: Bool) {
        guard charge.status == .succeeded, charge.captured, charge.amountCaptured > 0 else {
            return nulls("balance_transaction")
        }
        let id = ids.text(.balanceTransaction, charge.number)
        guard expanded else { return json.field("balance_transaction", id) }
        let fee = charge.amountCaptured * 29 / 1_000 + 30
        json.name("balance_transaction")
        json.beginObject()
        json.field("id", id)
        json.field("object", "balance_transaction")
        json.field("amount", charge.amountCaptured)
        time("available_on", charge.created)
        time("created", charge.created)
        json.field("currency", charge.purchase.value.currency)
        json.field("description", charge.purchase.value.description)
        nulls("exchange_rate")
        json.field("fee", fee)
        json.field("net", charge.amountCaptured - fee)
        json.field("reporting_category", "charge")
        json.field("source", ids.text(.charge, charge.number))
        json.field("status", "available")
        json.field("type", "charge")
        json.endObject()
    }

    private mutating func outcome(_ charge: Charge) {
        let decline = charge.decline?.value
        json.name("outcome")
        json.beginObject()
        json.field("advice_code", decline?.advice)
        nulls("network_advice_code")
        json.field("network_decline_code", decline?.networkCode)
        if let decline {
            refusedOutcome(decline)
        } else {
            let isElevated = charge.card.facts.outcome == .elevatedRisk
            json.field("network_status", "approved_by_network")
            json.field("reason", isElevated ? "elevated_risk_level" : nil)
            json.field("risk_level", isElevated ? "elevated" : "normal")
            json.field("seller_message", isElevated ? Self.reviewMessage : "Payment complete.")
            json.field("type", isElevated ? "manual_review" : "authorized")
        }
        json.endObject()
    }

    private static let reviewMessage =
        "Stripe evaluated this payment as having elevated risk, and placed it in your manual review queue."

    private mutating func refusedOutcome(_ decline: Decline) {
        json.field("network_status", decline.isBlocked ? "not_sent_to_network" : "declined_by_network")
        json.field("reason", decline.reason ?? decline.declineCode)
        json.field("risk_level", decline.isBlocked ? "highest" : "normal")
        json.field(
            "seller_message",
            decline.isBlocked
                ? "Stripe blocked this payment as too risky."
                : "The bank returned the decline code `\(decline.declineCode)`.")
        json.field("type", decline.isBlocked ? "blocked" : "issuer_declined")
    }

    private mutating func paymentMethodDetails(_ charge: Charge) {
        let card = charge.card
        let facts = card.facts
        let approved = charge.status != .failed
        json.name("payment_method_details")
        json.beginObject()
        json.name("card")
        json.beginObject()
        json.field("amount_authorized", approved ? charge.amount : nil)
        json.field("authorization_code", approved ? authorizationCode(charge) : nil)
        json.field("brand", facts.brand.word)
        if approved, !charge.captured { time("capture_before", charge.created + 7 * 86_400_000) }
        json.name("checks")
        checks(card)
        json.field("country", facts.country)
        json.field("exp_month", card.expiryMonth)
        json.field("exp_year", card.expiryYear)
        json.field("fingerprint", fingerprint(card))
        json.field("funding", facts.funding)
        nulls("installments")
        json.field("last4", facts.last4)
        nulls("mandate")
        json.field("network", facts.brand.word)
        json.field(
            "network_transaction_id", approved ? String(ids.text(.balanceTransaction, charge.number).suffix(15)) : nil)
        json.field("regulated_status", "unregulated")
        nulls("three_d_secure", "wallet")
        json.endObject()
        json.field("type", "card")
        json.endObject()
    }

    private func authorizationCode(_ charge: Charge) -> String {
        String(100_000 + ObjectID.mix(UInt64(charge.number) ^ ids.seed) % 900_000)
    }

    private mutating func refunds(_ charge: Charge) {
        json.name("refunds")
        json.beginObject()
        json.field("object", "list")
        json.name("data")
        json.beginArray()
        json.endArray()
        json.field("has_more", false)
        json.field("url", "/v1/charges/\(ids.text(.charge, charge.number))/refunds")
        json.endObject()
    }
}
