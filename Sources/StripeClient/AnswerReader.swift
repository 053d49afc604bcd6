internal import Charging
internal import HTTPClient
internal import JSONText

/// Turns what came over HTTP into what Stripe said, or into the certainty that it was not Stripe.
enum AnswerReader {
    /// The headers that decide.
    static let headers = HeaderNames([
        "request-id", "idempotent-replayed", "stripe-should-retry", "retry-after", "content-type",
    ])

    /// Reads the outcome of a call that answers with one object.
    static func read(_ outcome: TransferOutcome) -> StripeOutcome {
        switch outcome {
        case .failed(let failure): read(failure)
        case .reply(let reply): read(reply, readObject)
        }
    }

    /// What a call without an answer came to.
    static func read(_ failure: TransferFailure) -> StripeOutcome {
        let message = Scrubber.scrub("\(failure.kind.rawValue): \(failure.message)")
        guard failure.mayHaveBeenSent else {
            let kind: NotSent.Kind =
                switch failure.kind {
                case .resolve: .resolve
                case .connect, .timeoutBeforeConnect: .connect
                case .tlsHandshake: .tls
                case .certificate: .certificate
                default: .cancelled
                }
            return .notSent(NotSent(kind: kind, message: message))
        }
        switch failure.kind {
        case .truncated, .tooLarge, .notHTTP: return .notStripe(message)
        default: return .noAnswer(message)
        }
    }

    /// Reads a reply; `body` reads what stands in a 200 and must read it to its end.
    static func read(
        _ reply: HTTPReply, _ body: (inout JSONReader) throws(JSONError) -> StripeAnswer.Body?
    ) -> StripeOutcome {
        guard let requestID = reply.headers.value("request-id"), isRequestID(requestID) else {
            return notStripe(reply, "no Request-Id")
        }
        guard reply.status == 200 || reply.status >= 400 else { return notStripe(reply, "unexpected status") }
        var json = JSONReader(reply.body, limits: limits)
        do throws(JSONError) {
            let read = reply.status == 200 ? try body(&json) : try readError(&json)
            try json.end()
            guard let read else { return notStripe(reply, "not an object of Stripe's") }
            return .answered(answer(reply, requestID, read))
        } catch {
            return notStripe(reply, "not JSON: \(error.code) at byte \(error.offset)")
        }
    }

    private static let limits = JSONLimits(bytes: answerBytesMax(.page))

    static func answerBytesMax(_ answer: StripeCall.Answer) -> Int {
        switch answer {
        case .object: 1 << 20
        case .page: 8 << 20
        }
    }

    private static func answer(_ reply: HTTPReply, _ requestID: String, _ body: StripeAnswer.Body) -> StripeAnswer {
        StripeAnswer(
            status: reply.status, requestID: requestID,
            replayed: reply.headers.value("idempotent-replayed") == "true",
            shouldRetry: shouldRetry(reply.headers.value("stripe-should-retry")),
            retryAfter: reply.headers.value("retry-after").flatMap(milliseconds), body: body)
    }

    private static func readObject(_ json: inout JSONReader) throws(JSONError) -> StripeAnswer.Body? {
        switch try ObjectReader.read(&json) {
        case .payment(let object): .object(object)
        case .other(let name): .other(name)
        case nil: nil
        }
    }

    private static func readError(_ json: inout JSONReader) throws(JSONError) -> StripeAnswer.Body? {
        var error: StripeError?
        try json.beginObject()
        while let name = try json.nextName() {
            if name.matches("error") { error = try ErrorReader.readIfPresent(&json) } else { try json.skip() }
        }
        return error.map { .error($0) }
    }

    private static func notStripe(_ reply: HTTPReply, _ why: String) -> StripeOutcome {
        let type = (reply.headers.value("content-type") ?? "no content type").prefix(60)
        return .notStripe(Scrubber.scrub("status \(reply.status), \(type), \(reply.body.count) bytes: \(why)"))
    }

    private static func shouldRetry(_ value: String?) -> Bool? {
        switch value {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// Whole seconds, up to a day; Stripe documents no `Retry-After`, so a date is not expected either.
    private static func milliseconds(_ seconds: String) -> Int64? {
        Int64(seconds).flatMap { (0...86_400).contains($0) ? $0 * 1000 : nil }
    }

    /// `req_…`, or at least nothing that could not be one.
    private static func isRequestID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
