extension ChargeResult {
    /// The result of a charge that has ended.
    init(_ charge: Charge, _ end: ChargeEnd, completedAt: Int64) {
        self.init(
            charge, status: end.status, failure: ChargeFailure(end, of: charge.request), completedAt: completedAt)
        stripe.requestID = end.requestID
        replayed = end.replayed
        if let object = end.object {
            stripe.paymentIntent = object.paymentIntentID
            stripe.charge = object.chargeID
            stripe.livemode = object.livemode
            stripe.receiptURL = object.receiptURL
            customer = object.customer ?? customer
        } else if let error = end.error {
            stripe.charge = error.chargeID
            stripe.paymentIntent = error.paymentIntent?.id
        }
    }

    /// A result of a charge whatever its status.
    init(_ charge: Charge, status: ChargeStatus, failure: ChargeFailure?, completedAt: Int64) {
        self.init(
            of: charge.request, status: status, lane: charge.delivery.lane,
            correlationID: charge.delivery.correlationID, caller: charge.headers.caller, failure: failure,
            attempts: charge.headers.attempts, acceptedAt: charge.accepted, completedAt: completedAt)
    }
}

extension TrafficSignal {
    /// What a send told.
    init(_ outcome: StripeOutcome, _ verdict: Verdict?) {
        switch verdict {
        case .operatorNeeded(let what): self = .operatorNeeded(what)
        case .again(.limited): self = .limited
        case .final(let end) where end.status == .rejected:
            self = .rejected([end.error?.code, end.error?.param].compactMap(\.self).joined(separator: " "))
        default: self.init(outcome)
        }
    }

    /// What a read told.
    init(_ finding: StripeFinding) {
        switch finding {
        case .found: self = .answered
        case .failed(let outcome): self.init(outcome)
        }
    }

    private init(_ outcome: StripeOutcome) {
        switch outcome {
        case .notSent: self = .notSent
        case .noAnswer: self = .failing
        case .notStripe: self = .notStripe
        case .answered(let answer) where answer.status == 429: self = .limited
        case .answered(let answer) where answer.status == 401:
            self = .operatorNeeded("STRIPE_SECRET_KEY: Stripe does not accept the key (401)")
        case .answered(let answer):
            // A stored failure says how Stripe was then, not how it is.
            self = answer.status >= 500 && !answer.replayed ? .failing : .answered
        }
    }
}
