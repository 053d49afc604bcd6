public import Settings

/// A way to break, told by `PUT /_sandbox/faults` or a flag.
public struct Fault: Sendable, Equatable {
    /// What happens to a request that it hits.
    public enum Kind: String, Sendable, CaseIterable {
        /// 401, as for a revoked key.
        case status401 = "status_401"
        /// 429 with code `rate_limit` and the header that names the limiter; nothing done.
        case status429 = "status_429"
        /// 429 with code `lock_timeout` and without that header; nothing done, nothing kept.
        case lockTimeout = "lock_timeout"
        /// 409 `idempotency_key_in_use`; nothing done.
        case status409 = "status_409"
        /// 500 before execution: not kept, the same key executes later.
        case status500 = "status_500"
        /// Nothing done, and the 500 is kept under the key.
        case status500Stored = "status_500_stored"
        /// The money moved, and a 500 is kept under the key.
        case status500StoredAfterEffect = "status_500_stored_after_effect"
        /// 503 before execution.
        case status503 = "status_503"
        /// 502 with a page of HTML and no request id: a proxy's answer, nothing done.
        case html502 = "html_502"
        /// The connection is reset; nothing done.
        case resetBeforeEffect = "reset_before_effect"
        /// The connection is reset once everything is done.
        case resetAfterEffect = "reset_after_effect"
        /// No answer, nothing done.
        case hangBeforeEffect = "hang_before_effect"
        /// No answer, everything done.
        case hangAfterEffect = "hang_after_effect"
        /// Everything done; the answer is 200 and bytes that are no JSON, without a request id.
        case garbage
        /// Everything done; the answer stops half way.
        case truncated
        /// Everything done; the answer comes late, and the key is in use until then.
        case slow
        /// No answer, and nothing done now: it is executed when its delay is over, on the movable clock, as a request
        /// that stood in a queue of Stripe's. A retry that was executed meanwhile makes it a replay without effect.
        case lateExecution = "late_execution"
    }

    /// Which requests it can hit; every part that is set must fit. `*` at the end of a value stands for any rest.
    public struct Match: Sendable, Equatable {
        /// chargeline's id of the charge: from the request's metadata, its search query, or the object it names.
        public var chargeID: String?
        /// The token or payment method in the request.
        public var token: String?
        /// `GET`, `POST`, ….
        public var method: String?
        /// The path, such as `/v1/payment_intents`.
        public var path: String?

        /// Fits every request.
        public init(chargeID: String? = nil, token: String? = nil, method: String? = nil, path: String? = nil) {
            self.chargeID = chargeID
            self.token = token
            self.method = method
            self.path = path
        }
    }

    /// What happens.
    public var kind: Kind
    /// The share of requests that it hits, 0 to 1; which ones follows from the seed, the idempotency key and the try.
    public var rate: Double?
    /// It hits so many and is gone.
    public var times: Int?
    /// Which requests it can hit.
    public var match: Match?
    /// Of `slow`: 5 s by default. Of `late_execution`: 2 min.
    public var delay: TimeSpan?
    /// `Stripe-Should-Retry` of an error: by default what Stripe sends with it.
    public var shouldRetry: Bool?
    /// `Stripe-Rate-Limited-Reason` of `status_429`.
    public var reason: String?

    /// A fault that hits every request it can, until it is taken away.
    public init(_ kind: Kind, rate: Double? = nil, times: Int? = nil, match: Match? = nil) {
        self.kind = kind
        self.rate = rate
        self.times = times
        self.match = match
    }
}
