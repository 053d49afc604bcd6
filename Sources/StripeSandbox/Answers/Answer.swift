/// What a call answers, before it is text: kept as such under an idempotency key, so that 100,000 keys stay small.
enum Answer: Sendable {
    case intent(IntentView)
    case charge(ChargeView)
    case method(MethodView)
    case token(Kept<CardToken>)
    case customer(Kept<Customer>)
    case json([UInt8])
    case failure(Kept<StripeFailure>)

    var status: Int {
        if case .failure(let failure) = self { failure.value.status } else { 200 }
    }
}

/// A payment intent as it stood, with what the answer shows of other objects.
struct IntentView: Sendable {
    let intent: Kept<Intent>
    var charge: Kept<Charge>?
    var method: Kept<PaymentMethod>?
    var failedMethod: Kept<PaymentMethod>?
    var customer: Kept<Customer>?
    var expand: Expansion = []
}

/// A charge as it stood.
struct ChargeView: Sendable {
    let charge: Kept<Charge>
    var intent: Kept<Intent>?
    var customer: Kept<Customer>?
    var expand: Expansion = []
}

/// A payment method as it stood.
struct MethodView: Sendable {
    let method: Kept<PaymentMethod>
    var customer: Kept<Customer>?
}

extension ObjectStore {
    /// The intent with everything that its answer may show.
    func view(_ intent: Kept<Intent>, _ expand: Expansion = []) -> IntentView {
        let value = intent.value
        var view = IntentView(intent: intent, expand: expand)
        view.charge = value.latestCharge.map { charges[$0] }
        view.method = method(of: value.instrument)
        view.failedMethod = method(of: value.failedInstrument)
        view.customer = value.purchase.value.customer.map { customers[$0] }
        return view
    }

    func view(_ charge: Kept<Charge>, _ expand: Expansion = []) -> ChargeView {
        ChargeView(
            charge: charge, intent: charge.value.intent.map { intents[$0] },
            customer: charge.value.purchase.value.customer.map { customers[$0] }, expand: expand)
    }

    func view(_ method: Kept<PaymentMethod>, _ expand: Expansion = []) -> MethodView {
        MethodView(
            method: method,
            customer: expand.contains(.customer) ? method.value.customer.map { customers[$0] } : nil)
    }
}
