internal import Charging
internal import JSONText

/// Any object of Stripe's, as far as a charge needs it.
enum StripeItem: Equatable {
    /// A payment intent or a charge.
    case payment(StripeObject)
    /// Another, by its `object` field.
    case other(String)
}

/// Reads the fields of one object in any order; those not used are passed over.
struct ObjectReader {
    private var object: String?
    private var id: String?
    private var status: String?
    private var amount: Int64?
    private var currency: String?
    private var created: Int64 = 0
    private var livemode = false
    private var captured: Bool?
    private var paid: Bool?
    private var paymentIntent: String?
    private var latestCharge: LatestCharge?
    private var receiptURL: String?
    private var customer: String?
    private var chargelineID: String?
    private var chargelinePrint: String?
    private var lastPaymentError: StripeError?
    private var failureCode: String?
    private var failureMessage: String?
    private var outcome = Outcome()

    /// What a charge's `outcome` tells.
    private struct Outcome {
        var reason: String?
        var advice: String?
    }

    /// What an intent tells of its charge: all of it where it was expanded, else its id.
    private struct LatestCharge {
        var id: String?
        var captured: Bool?
        var paid: Bool?
        var receiptURL: String?
    }

    /// Reads the object that is next; nil if it lacks what every payment has.
    static func read(_ json: inout JSONReader) throws(JSONError) -> StripeItem? {
        var reader = ObjectReader()
        try json.beginObject()
        while let name = try json.nextName() { try reader.readField(name, &json) }
        return reader.item
    }

    private mutating func readField(_ name: JSONName, _ json: inout JSONReader) throws(JSONError) {
        if name.matches("id") {
            id = try json.stringOrNil()
        } else if name.matches("object") {
            object = try json.stringOrNil()
        } else if name.matches("status") {
            status = try json.stringOrNil()
        } else if name.matches("amount") {
            amount = try json.integerOrNil()
        } else if name.matches("currency") {
            currency = try json.stringOrNil()
        } else if name.matches("created") {
            created = try json.integerOrNil() ?? 0
        } else if name.matches("livemode") {
            livemode = try json.boolOrNil() ?? false
        } else if name.matches("customer") {
            customer = try json.idOrNil()
        } else if name.matches("metadata") {
            try readMetadata(&json)
        } else if name.matches("payment_intent") {
            paymentIntent = try json.idOrNil()
        } else {
            try readState(name, &json)
        }
    }

    private mutating func readState(_ name: JSONName, _ json: inout JSONReader) throws(JSONError) {
        if name.matches("captured") {
            captured = try json.boolOrNil()
        } else if name.matches("paid") {
            paid = try json.boolOrNil()
        } else if name.matches("receipt_url") {
            receiptURL = try json.stringOrNil()
        } else if name.matches("latest_charge") {
            latestCharge = try readLatestCharge(&json)
        } else if name.matches("last_payment_error") {
            lastPaymentError = try ErrorReader.readIfPresent(&json)
        } else if name.matches("failure_code") {
            failureCode = try json.stringOrNil()
        } else if name.matches("failure_message") {
            failureMessage = try json.stringOrNil()
        } else if name.matches("outcome") {
            try readOutcome(&json)
        } else {
            try json.skip()
        }
    }

    private mutating func readMetadata(_ json: inout JSONReader) throws(JSONError) {
        guard try json.entersObject() else { return }
        while let name = try json.nextName() {
            if name.matches("chargeline_id") {
                chargelineID = try json.stringOrNil()
            } else if name.matches("chargeline_print") {
                chargelinePrint = try json.stringOrNil()
            } else {
                try json.skip()
            }
        }
    }

    private mutating func readOutcome(_ json: inout JSONReader) throws(JSONError) {
        guard try json.entersObject() else { return }
        while let name = try json.nextName() {
            if name.matches("reason") {
                outcome.reason = try json.stringOrNil()
            } else if name.matches("advice_code") {
                outcome.advice = try json.stringOrNil()
            } else {
                try json.skip()
            }
        }
    }

    private func readLatestCharge(_ json: inout JSONReader) throws(JSONError) -> LatestCharge? {
        guard try json.peek() == .object else { return try json.stringOrNil().map { LatestCharge(id: $0) } }
        var charge = LatestCharge()
        try json.beginObject()
        while let name = try json.nextName() {
            if name.matches("id") {
                charge.id = try json.stringOrNil()
            } else if name.matches("captured") {
                charge.captured = try json.boolOrNil()
            } else if name.matches("paid") {
                charge.paid = try json.boolOrNil()
            } else if name.matches("receipt_url") {
                charge.receiptURL = try json.stringOrNil()
            } else {
                try json.skip()
            }
        }
        return charge
    }

    private var item: StripeItem? {
        guard let object else { return nil }
        let kind: StripeObject.Kind
        switch object {
        case "payment_intent": kind = .paymentIntent
        case "charge": kind = .charge
        default: return .other(object)
        }
        guard let id, !id.isEmpty, let status, !status.isEmpty, let amount, let currency else { return nil }
        var payment = StripeObject(kind: kind, id: id, status: status, amount: amount, currency: currency)
        payment.created = created
        payment.livemode = livemode
        payment.customer = customer
        payment.chargelineID = chargelineID
        payment.chargelinePrint = chargelinePrint
        switch kind {
        case .paymentIntent: fillIntent(&payment)
        case .charge: fillCharge(&payment)
        }
        return .payment(payment)
    }

    private func fillIntent(_ payment: inout StripeObject) {
        payment.chargeID = latestCharge?.id
        payment.captured = latestCharge?.captured ?? (payment.status != "requires_capture")
        payment.paid = latestCharge?.paid ?? false
        payment.receiptURL = latestCharge?.receiptURL
        payment.failure = lastPaymentError
    }

    private func fillCharge(_ payment: inout StripeObject) {
        payment.paymentIntentID = paymentIntent
        payment.captured = captured ?? true
        payment.paid = paid ?? false
        payment.receiptURL = receiptURL
        guard failureCode != nil || payment.status == "failed" else { return }
        var failure = StripeError(type: "card_error", code: failureCode)
        failure.declineCode = outcome.reason
        failure.advice = outcome.advice
        failure.message = failureMessage.map(ErrorReader.safe)
        failure.chargeID = payment.id
        payment.failure = failure
    }
}
