/// What one outcome of a send means for the charge: the table of docs/charge-states.md, as a function of values.
public enum Verdict: Sendable, Equatable {
    /// The charge has ended.
    indirect case final(ChargeEnd)
    /// The intent is still open: cancel it, then say this.
    indirect case cancel(paymentIntent: String, then: ChargeEnd)
    /// Money may move or have moved and a resend would tell nothing.
    case lookUp(LookUpReason)
    /// Send again under the same key.
    case again(Again)
    /// Not the caller's fault and not Stripe's: a key, a setting, a certificate. The text names it.
    case operatorNeeded(String)
}

/// How to send again.
public enum Again: Sendable, Equatable {
    /// Another request holds the key or the object; nothing was executed.
    case locked
    /// The quota is used up; nothing was executed. Milliseconds, where Stripe says when.
    case limited(retryAfter: Int64?)
    /// The request never left.
    case notSent
    /// It may have been executed: the same key finds out.
    case mayHaveMoved
}

/// Why a charge is looked up.
public enum LookUpReason: String, Sendable, Equatable {
    /// A stored 5xx: the key will never tell more.
    case storedFailure = "stored_failure"
    /// Stripe says that a retry is of no use.
    case retryUseless = "retry_useless"
    /// Its object is not settled yet.
    case pending
    /// Rejected now, but sent before.
    case rejectedAfterSend = "rejected_after_send"
    /// The key or the token belongs to an earlier request: perhaps this charge, perhaps another.
    case usedBefore = "used_before"
    /// Too old to be sent again.
    case tooOld = "too_old"

    /// Whether the object is probably there to be found at once.
    var isLikelyFound: Bool { self == .usedBefore }
}

/// How a charge ended at Stripe, with what its result tells.
public struct ChargeEnd: Sendable, Equatable {
    /// The result's status.
    public var status: ChargeStatus
    /// Our own failure code, where Stripe's error does not give one.
    public var code: String?
    /// The object that proves it.
    public var object: StripeObject?
    /// Stripe's reason.
    public var error: StripeError?
    /// The request that told.
    public var requestID: String?
    /// Whether it was told by a stored answer.
    public var replayed: Bool

    /// Makes one.
    public init(
        _ status: ChargeStatus, code: String? = nil, object: StripeObject? = nil, error: StripeError? = nil,
        requestID: String? = nil, replayed: Bool = false
    ) {
        self.status = status
        self.code = code
        self.object = object
        self.error = error
        self.requestID = requestID
        self.replayed = replayed
    }
}

extension Verdict {
    /// Judges the outcome of a send.
    ///
    /// - Parameters:
    ///   - outcome: what came back.
    ///   - mayHaveBeenSent: whether an *earlier* send may have reached Stripe.
    ///   - request: the charge, for what the caller sent.
    public static func of(_ outcome: StripeOutcome, mayHaveBeenSent: Bool, request: ChargeRequest) -> Verdict {
        switch outcome {
        case .notSent(let why):
            why.kind == .certificate
                ? .operatorNeeded("STRIPE_API_BASE: the server's certificate is not trusted: \(why.message)")
                : .again(.notSent)
        case .noAnswer, .notStripe:
            .again(.mayHaveMoved)
        case .answered(let answer):
            of(answer, sentBefore: mayHaveBeenSent || answer.replayed, request: request)
        }
    }

    private static func of(_ answer: StripeAnswer, sentBefore: Bool, request: ChargeRequest) -> Verdict {
        switch answer.body {
        case .object(let object):
            if let id = object.chargelineID, id != request.id.text { return .lookUp(.usedBefore) }
            return of(object, requestID: answer.requestID, replayed: answer.replayed)
        case .error(let error):
            return of(error, answer, sentBefore: sentBefore, request: request)
        case .other:
            return .again(.mayHaveMoved)
        }
    }

    /// Judges an object by its state; a word that is not known is looked up. The same end, whoever reads the object and
    /// whenever: a duplicate of the charge may see it much later than the visit that made it.
    static func of(_ object: StripeObject, requestID: String, replayed: Bool) -> Verdict {
        func end(_ status: ChargeStatus, code: String? = nil) -> ChargeEnd {
            ChargeEnd(
                status, code: code, object: object, error: object.failure, requestID: requestID, replayed: replayed)
        }
        switch (object.kind, object.status) {
        case (.paymentIntent, "succeeded"): return .final(end(.succeeded))
        case (.paymentIntent, "requires_capture"): return .final(end(.authorized))
        case (.paymentIntent, "requires_payment_method") where object.failure != nil:
            return .final(end(refusal(object.failure)))
        case (.paymentIntent, "canceled"): return .final(end(.notCharged, code: "canceled"))
        case (.paymentIntent, "requires_action"), (.paymentIntent, "requires_payment_method"):
            // It waits for a buyer who is not there, or was never confirmed. Once cancelled it tells no more of that.
            return .cancel(paymentIntent: object.id, then: end(.notCharged, code: "canceled"))
        case (.charge, "succeeded"): return .final(end(object.captured ? .succeeded : .authorized))
        case (.charge, "failed"): return .final(end(refusal(object.failure)))
        default: return .lookUp(.pending)
        }
    }

    // `Idempotent-Replayed` beats `Stripe-Should-Retry`, which beats the status. Never by message.
    private static func of(
        _ error: StripeError, _ answer: StripeAnswer, sentBefore: Bool, request: ChargeRequest
    ) -> Verdict {
        if answer.status >= 500 {
            if answer.replayed { return .lookUp(.storedFailure) }
            return answer.shouldRetry == false ? .lookUp(.retryUseless) : .again(.mayHaveMoved)
        }
        if let held = heldBack(error, answer) { return held }
        if error.type == "idempotency_error" || error.code.map(StripeCodes.usedBefore.contains) == true {
            return .lookUp(.usedBefore)
        }
        if answer.status == 402 {
            return .final(refusal(error, answer))
        }
        if sentBefore { return .lookUp(.rejectedAfterSend) }
        return rejection(error, answer, request: request)
    }

    /// What a rejection after an earlier send says of itself: whose fault it is.
    static func ofRejection(_ answer: StripeAnswer, request: ChargeRequest) -> Verdict? {
        guard case .error(let error) = answer.body else { return nil }
        return rejection(error, answer, request: request)
    }

    /// Answers that say "not now": nothing was executed, or it cannot be known, and the same key may follow.
    private static func heldBack(_ error: StripeError, _ answer: StripeAnswer) -> Verdict? {
        switch (answer.status, error.code) {
        case (429, "lock_timeout"), (409, _): .again(.locked)
        case (429, _), (400, "rate_limit"): .again(.limited(retryAfter: answer.retryAfter))
        case (424, _), (_, "payment_method_provider_timeout"): .again(.mayHaveMoved)
        default: !answer.replayed && answer.shouldRetry == true ? .again(.locked) : nil
        }
    }

    /// A 402: the card's bank said no, unless its type says that the request was wrong (api/errors).
    private static func refusal(_ error: StripeError, _ answer: StripeAnswer) -> ChargeEnd {
        let status = error.type == "card_error" ? refusal(error) : .rejected
        return ChargeEnd(status, error: error, requestID: answer.requestID, replayed: answer.replayed)
    }

    /// What a card error means, in an answer or in an object.
    private static func refusal(_ error: StripeError?) -> ChargeStatus {
        let code = error?.code == "card_declined" ? error?.declineCode : error?.code
        return code == "authentication_required" ? .requiresAction : .declined
    }

    /// A clean 4xx on a charge that was certainly never sent before.
    private static func rejection(_ error: StripeError, _ answer: StripeAnswer, request: ChargeRequest) -> Verdict {
        let rejected = ChargeEnd(.rejected, error: error, requestID: answer.requestID, replayed: answer.replayed)
        if request.stripeAccount != nil, answer.status == 403 || error.code == "account_invalid" {
            var end = rejected
            end.error?.param = "stripe_account"
            return .final(end)
        }
        if answer.status == 401 {
            return .operatorNeeded("STRIPE_SECRET_KEY: Stripe does not accept the key (401)")
        }
        if answer.status == 403 {
            return .operatorNeeded("STRIPE_SECRET_KEY: the key lacks a permission that charging needs (403)")
        }
        if let code = error.code, StripeCodes.aboutTheKey.contains(code) {
            return .operatorNeeded("STRIPE_SECRET_KEY: Stripe answers \(code)")
        }
        let named = error.param.map { StripeParameter.field(of: $0, in: request) != nil }
        let callers = named ?? error.code.map(StripeCodes.aboutTheRequest.contains) ?? false
        guard answer.status == 400 || answer.status == 404, callers else {
            let what = error.param ?? error.code ?? "status \(answer.status)"
            return .operatorNeeded("Stripe rejects what the caller never sent: \(what)")
        }
        return .final(rejected)
    }
}
