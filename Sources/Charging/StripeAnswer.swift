/// What became of one call to Stripe. Only `notSent` is certain that nothing happened there.
public enum StripeOutcome: Sendable, Equatable {
    /// Stripe's own answer, read whole.
    indirect case answered(StripeAnswer)
    /// The request cannot have left: libcurl never had a connection for it.
    case notSent(NotSent)
    /// The request may have arrived and no answer came: a timeout, a reset, a cut, a GOAWAY. The text is safe to log.
    case noAnswer(String)
    /// Something answered that is not Stripe: not JSON, no `Request-Id`, truncated, a redirect, an unknown 2xx. May
    /// have moved money.
    case notStripe(String)
}

extension StripeAnswer {
    /// Whether a request had the key before.
    var showsKeyTaken: Bool {
        if case .error(let error) = body, error.type == "idempotency_error" { return true }
        return replayed
    }

    /// What the answer rejects, if it is an error.
    var rejection: Rejection? {
        guard case .error(let error) = body else { return nil }
        return Rejection(code: error.code, param: error.param)
    }
}

extension StripeOutcome {
    /// Whether nothing can have been executed: it never left, or it was turned away by the check of the key, which
    /// stands before the executor (api/idempotent_requests: such answers are not even stored).
    var isCertainlyUnexecuted: Bool {
        switch self {
        case .notSent: true
        case .answered(let answer): !answer.replayed && [401, 403].contains(answer.status)
        case .noAnswer, .notStripe: false
        }
    }
}

/// Why a request never left.
public struct NotSent: Sendable, Equatable {
    /// What failed, in a bounded set of words.
    public enum Kind: String, Sendable, Equatable {
        /// The name has no address.
        case resolve
        /// Refused, unreachable, or no connection in time.
        case connect
        /// The handshake failed.
        case tls
        /// The server's certificate is not trusted: nothing a retry can mend.
        case certificate
        /// Given up before it was handed to the network.
        case cancelled
    }
    /// What failed.
    public var kind: Kind
    /// What the library said, safe to log.
    public var message: String

    /// Makes one.
    public init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

/// An answer of Stripe's API, with the headers that decide (docs: api/errors, api/idempotent_requests).
public struct StripeAnswer: Sendable, Equatable {
    /// What the body held.
    public enum Body: Sendable, Equatable {
        /// A payment intent or a charge.
        indirect case object(StripeObject)
        /// `{"error": {…}}`.
        indirect case error(StripeError)
        /// Another object in a 2xx, by its `object` field: a payment method, a balance.
        case other(String)
    }
    /// The HTTP status.
    public var status: Int
    /// `Request-Id`, `req_…`.
    public var requestID: String
    /// `Idempotent-Replayed: true`: the stored answer of the first execution under this key.
    public var replayed: Bool
    /// `Stripe-Should-Retry`, where it was sent.
    public var shouldRetry: Bool?
    /// `Retry-After` in milliseconds, where it was sent.
    public var retryAfter: Int64?
    /// The body.
    public var body: Body

    /// Makes one.
    public init(
        status: Int, requestID: String, replayed: Bool = false, shouldRetry: Bool? = nil, retryAfter: Int64? = nil,
        body: Body
    ) {
        self.status = status
        self.requestID = requestID
        self.replayed = replayed
        self.shouldRetry = shouldRetry
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// A payment intent or a charge, as far as it decides a result.
public struct StripeObject: Sendable, Equatable {
    /// Which of the two.
    public enum Kind: Sendable, Equatable {
        /// `pi_…`
        case paymentIntent
        /// `ch_…` or `py_…`
        case charge
    }
    /// Which of the two.
    public var kind: Kind
    /// Its id, opaque.
    public var id: String
    /// Stripe's word for its state, kept as text: new words appear.
    public var status: String
    /// Minor units.
    public var amount: Int64
    /// Lower-case code.
    public var currency: String
    /// Seconds since 1970.
    public var created: Int64
    /// Whether real money is meant.
    public var livemode: Bool
    /// A charge's `captured`; an intent's comes with its charge.
    public var captured: Bool
    /// A charge's `paid`.
    public var paid: Bool
    /// The charge of an intent (`latest_charge`), or the object's own id where it is a charge.
    public var chargeID: String?
    /// The intent of a charge, or the object's own id where it is an intent.
    public var paymentIntentID: String?
    /// Where the buyer finds a receipt.
    public var receiptURL: String?
    /// `cus_…`
    public var customer: String?
    /// `metadata[chargeline_id]`
    public var chargelineID: String?
    /// `metadata[chargeline_print]`
    public var chargelinePrint: String?
    /// `last_payment_error` of an intent; code and outcome of a failed charge.
    public var failure: StripeError?

    /// Makes one; the optional facts are set afterwards.
    public init(kind: Kind, id: String, status: String, amount: Int64, currency: String) {
        self.kind = kind
        self.id = id
        self.status = status
        self.amount = amount
        self.currency = currency
        created = 0
        livemode = false
        captured = true
        paid = false
        if kind == .charge { chargeID = id } else { paymentIntentID = id }
    }
}

/// Stripe's error object; only `type` is always there (docs: api/errors). Texts are scrubbed before they come here.
public struct StripeError: Sendable, Equatable {
    /// `card_error`, `invalid_request_error`, `idempotency_error`, `api_error`, or a newer word.
    public var type: String
    /// `card_declined`, `resource_missing`, …
    public var code: String?
    /// The issuer's reason.
    public var declineCode: String?
    /// What the issuer advises: `do_not_try_again`, `try_again_later`, `confirm_card_data`.
    public var advice: String?
    /// For the merchant, never for the buyer; scrubbed.
    public var message: String?
    /// The parameter at fault, in Stripe's spelling.
    public var param: String?
    /// The failed charge, `ch_…`.
    public var chargeID: String?
    /// The intent left behind, with its state.
    public var paymentIntent: StripeObjectReference?

    /// Makes one; the optional facts are set afterwards.
    public init(type: String, code: String? = nil, param: String? = nil) {
        self.type = type
        self.code = code
        self.param = param
    }
}

/// An object named inside an error.
public struct StripeObjectReference: Sendable, Equatable {
    /// `pi_…`
    public var id: String
    /// Its state, where told.
    public var status: String?

    /// Makes one.
    public init(id: String, status: String?) {
        self.id = id
        self.status = status
    }
}
