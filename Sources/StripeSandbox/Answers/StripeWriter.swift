internal import JSONText

/// Writes Stripe's objects. Text comes from values alone, so that a replayed answer is the same to the byte.
struct StripeWriter {
    var json: JSONWriter
    let ids: ObjectID
    /// The first execution's request, named in errors.
    let requestID: String

    init(_ ids: ObjectID, requestID: String = "", reserving bytes: Int = 4_096) {
        json = JSONWriter(reserving: bytes)
        self.ids = ids
        self.requestID = requestID
    }

    /// The answer's body.
    static func body(_ answer: Answer, _ ids: ObjectID, requestID: String) -> [UInt8] {
        if case .json(let bytes) = answer { return bytes }
        var writer = StripeWriter(ids, requestID: requestID)
        switch answer {
        case .intent(let view): writer.intent(view)
        case .charge(let view): writer.charge(view)
        case .method(let view): writer.method(view.method, customer: view.customer)
        case .token(let token): writer.token(token.value)
        case .customer(let customer): writer.customer(customer.value)
        case .failure(let failure): writer.failure(failure.value)
        case .json: break
        }
        return writer.finish()
    }

    consuming func finish() -> [UInt8] {
        json.finish()
    }

    // MARK: Pieces

    /// Milliseconds here, seconds at Stripe.
    mutating func time(_ name: StaticString, _ milliseconds: Int64?) {
        json.field(name, milliseconds.map { $0 / 1_000 })
    }

    mutating func nulls(_ names: StaticString...) {
        for name in names {
            json.name(name)
            json.null()
        }
    }

    mutating func metadata(_ metadata: Metadata) {
        json.name("metadata")
        json.beginObject()
        for pair in metadata.pairs {
            json.name(string: pair.name)
            json.value(pair.value)
        }
        json.endObject()
    }

    mutating func emptyObject(_ name: StaticString) {
        json.name(name)
        json.beginObject()
        json.endObject()
    }

    mutating func customerReference(_ customer: Int?) {
        json.field("customer", customer.map { ids.text(.customer, $0) })
    }

    /// `customer`: its id, or the whole object where that is given.
    mutating func customer(_ number: Int?, _ whole: Kept<Customer>?) {
        guard let whole else { return customerReference(number) }
        json.name("customer")
        customer(whole.value)
    }

    func text(_ instrument: Instrument) -> String {
        switch instrument {
        case .method(let number): ids.text(.method, number)
        case .card(let number): ids.text(.card, number)
        }
    }

    // MARK: Errors

    mutating func failure(_ failure: StripeFailure) {
        json.beginObject()
        json.name("error")
        json.beginObject()
        if let decline = failure.decline?.value {
            declineFields(decline, charge: failure.charge, namesEveryReason: failure.namesEveryReason)
        } else if let code = failure.code {
            json.field("code", code)
            json.field("doc_url", Self.documentation(code))
        }
        json.field("message", failure.message)
        json.fieldIfPresent("param", failure.param)
        if let view = failure.intent {
            json.name("payment_intent")
            intent(view)
            if let method = view.failedMethod, failure.decline != nil {
                json.name("payment_method")
                self.method(method, customer: nil)
            }
        }
        json.field("request_log_url", "https://dashboard.stripe.com/test/logs/\(requestID)")
        json.field("type", failure.type)
        json.endObject()
        json.endObject()
    }

    mutating func declineFields(_ decline: Decline, charge: Int?, namesEveryReason: Bool) {
        json.fieldIfPresent("advice_code", decline.advice)
        json.fieldIfPresent("charge", charge.map { ids.text(.charge, $0) })
        json.field("code", decline.code)
        // Absent for expired cards and the like in the older flow (live answers of 2020).
        if namesEveryReason || decline.declineCode != decline.code {
            json.field("decline_code", decline.declineCode)
        }
        json.field("doc_url", Self.documentation(decline.code))
        json.fieldIfPresent("network_decline_code", decline.networkCode)
    }

    static func documentation(_ code: String) -> String {
        "https://stripe.com/docs/error-codes/" + String(code.map { $0 == "_" ? "-" : $0 })
    }
}
