/// One request's way through the sandbox, and what has been found out about it so far.
final class Visit {
    let request: SandboxRequest
    private(set) var instant: SandboxInstant
    /// Milliseconds since 1970 on the sandbox's clock.
    private(set) var now: Int64
    let number: Int
    let requestID: String
    var form = FormFields()
    var scope = 0
    var isLive = false
    var route: Route?
    /// Milliseconds until the answer leaves.
    var delay: Int64 = 0
    /// What happens to the answer.
    var answerFault: Fault?
    /// A stored 500 that replaces the answer once everything is done.
    var afterEffect: Fault?
    /// Draws the faults of the beginning of execution.
    var onBegin: (() -> Fault?)?

    init(_ request: SandboxRequest, _ instant: SandboxInstant, now: Int64, number: Int, requestID: String) {
        self.request = request
        self.instant = instant
        self.now = now
        self.number = number
        self.requestID = requestID
    }

    /// It is looked at anew: it stood in a queue until now.
    func resume(at instant: SandboxInstant, now: Int64) {
        self.instant = instant
        self.now = now
    }

    var isPost: Bool { request.method == "POST" }

    /// The idempotency key; only POST has one.
    var key: String? { isPost ? request.idempotencyKey.flatMap { $0.isEmpty ? nil : $0 } : nil }

    /// Monotonic nanoseconds at which the answer leaves; the key and token it uses are busy until then.
    var answeredAt: Int64 {
        switch answerFault?.kind {
        case .resetAfterEffect, .hangAfterEffect: 0
        default: instant.monotonic + delay * 1_000_000
        }
    }

    /// The token or payment method that pays, as sent.
    var token: String? {
        form["payment_method_data[card][token]"] ?? form["payment_method"] ?? form["source"] ?? form["card[token]"]
            ?? form["card"]
    }

    /// Called by every POST once its parameters are found right: from here on its answer is kept under the key.
    func beginExecution() throws(StripeFailure) {
        guard let fault = onBegin?() else { return }
        guard fault.kind == .status500Stored else {
            afterEffect = fault
            return
        }
        throw Self.storedFailure(fault)
    }

    /// A repeat would be a replay, so Stripe is expected to advise against one (comments in its SDKs).
    static func storedFailure(_ fault: Fault) -> StripeFailure {
        var failure = StripeFailure.server(500).saved
        failure.shouldRetry = fault.shouldRetry ?? false
        return failure
    }
}
