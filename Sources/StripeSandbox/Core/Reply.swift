/// Turns answers into what is done on the wire.
enum Reply {
    /// Echoed when a request names no version: the one the sandbox's objects look like.
    static let version = "2026-10-28.endive"

    /// The answer of a request that executed, or was refused.
    static func answer(_ answer: Answer, _ visit: Visit, _ ids: ObjectID) -> SandboxReply {
        var reply = SandboxReply(answer.status, body: StripeWriter.body(answer, ids, requestID: visit.requestID))
        reply.headers = headers(visit)
        reply.delay = visit.delay
        var isSaved = visit.isPost
        if case .failure(let failure) = answer {
            isSaved = failure.value.isSaved
            failureHeaders(failure.value, &reply)
        }
        if isSaved, visit.key != nil {
            reply.headers.append(("Original-Request", visit.requestID))
            if reply.header("Stripe-Should-Retry") == nil { reply.headers.append(("Stripe-Should-Retry", "false")) }
        }
        return reply
    }

    /// An answer given before: the same status and body, under a request id of its own.
    static func replay(_ entry: IdempotencyStore.Entry, _ visit: Visit, _ ids: ObjectID) -> SandboxReply {
        let first = ids.text(.request, entry.request)
        var reply = SandboxReply(entry.answer.status, body: StripeWriter.body(entry.answer, ids, requestID: first))
        reply.headers = headers(visit)
        reply.headers.append(("Original-Request", first))
        reply.headers.append(("Idempotent-Replayed", "true"))
        reply.delay = visit.delay
        if case .failure(let failure) = entry.answer { failureHeaders(failure.value, &reply) }
        if reply.header("Stripe-Should-Retry") == nil { reply.headers.append(("Stripe-Should-Retry", "false")) }
        return reply
    }

    private static func headers(_ visit: Visit) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = [
            ("Content-Type", "application/json"), ("Request-Id", visit.requestID),
            ("Stripe-Version", visit.request.version ?? version), ("Cache-Control", "no-cache, no-store"),
        ]
        if let key = visit.key, key.count <= 255 { headers.append(("Idempotency-Key", key)) }
        if let account = visit.request.account { headers.append(("Stripe-Account", account)) }
        return headers
    }

    private static func failureHeaders(_ failure: StripeFailure, _ reply: inout SandboxReply) {
        if failure.status == 401 { reply.headers.append(("WWW-Authenticate", "Basic realm=\"Stripe\"")) }
        if let reason = failure.limitReason { reply.headers.append(("Stripe-Rate-Limited-Reason", reason)) }
        if let retry = failure.shouldRetry { reply.headers.append(("Stripe-Should-Retry", retry ? "true" : "false")) }
    }

    /// What a fault in front of Stripe does.
    static func atTheGate(_ fault: Fault, _ visit: Visit) throws(StripeFailure) -> SandboxReply {
        switch fault.kind {
        case .resetBeforeEffect: return withoutAnswer(.reset)
        case .hangBeforeEffect, .lateExecution: return withoutAnswer(.hang)
        case .html502: return page502
        default:
            var failure = StripeFailure.server(fault.kind == .status503 ? 503 : 500)
            failure.shouldRetry = fault.shouldRetry
            throw failure
        }
    }

    /// The answer after the fault that strikes it on its way.
    static func finished(_ reply: SandboxReply, _ visit: Visit, _ chance: inout Chance) -> SandboxReply {
        var reply = reply
        switch visit.answerFault?.kind {
        case .resetAfterEffect: return withoutAnswer(.reset)
        case .hangAfterEffect: return withoutAnswer(.hang)
        case .truncated: reply.delivery = .truncated(at: reply.body.count / 2)
        case .garbage:
            reply.status = 200
            reply.headers = [("Content-Type", "application/json")]
            reply.body = (0..<64).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
        default: break
        }
        return reply
    }

    private static func withoutAnswer(_ delivery: SandboxReply.Delivery) -> SandboxReply {
        var reply = SandboxReply(0)
        reply.delivery = delivery
        return reply
    }

    private static let page502 = SandboxReply(
        502, headers: [("Content-Type", "text/html")],
        body: Array(
            ("<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1>"
                + "</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n").utf8))
}
