import Testing

@testable import Charging

/// The verdict table of docs/charge-states.md, a row a case.
struct VerdictTests {
    private func request(account: String? = nil, token: String? = "tok_visa", suffix: String? = nil) throws
        -> ChargeRequest
    {
        ChargeRequest(
            id: try ChargeID(validating: "order-1"), token: try token.map { try CardToken(validating: $0) },
            amount: 1999,
            currency: try #require(Currency("usd")), statementDescriptorSuffix: suffix, stripeAccount: account)
    }

    private func error(
        _ status: Int, _ type: String = "invalid_request_error", code: String? = nil, param: String? = nil,
        replayed: Bool = false, shouldRetry: Bool? = nil
    ) -> StripeOutcome {
        .answered(
            StripeAnswer(
                status: status, requestID: "req_1", replayed: replayed, shouldRetry: shouldRetry,
                body: .error(StripeError(type: type, code: code, param: param))))
    }

    private func object(
        _ kind: StripeObject.Kind, _ status: String, captured: Bool = true, failure: String? = nil
    ) -> StripeOutcome {
        var object = StripeObject(kind: kind, id: "x_1", status: status, amount: 1999, currency: "usd")
        object.captured = captured
        object.failure = failure.map { StripeError(type: "card_error", code: $0) }
        return .answered(StripeAnswer(status: 200, requestID: "req_1", body: .object(object)))
    }

    /// A short name of a verdict, so that the table reads as one.
    private func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .final(let end): end.status.rawValue
        case .cancel: "cancel"
        case .lookUp(let reason): "look up: \(reason.rawValue)"
        case .again(.locked): "again: locked"
        case .again(.limited): "again: limited"
        case .again(.notSent): "again: not sent"
        case .again(.mayHaveMoved): "again: may have moved"
        case .operatorNeeded: "operator"
        }
    }

    private func judge(_ outcome: StripeOutcome, sentBefore: Bool = false, account: String? = nil) throws -> String {
        word(Verdict.of(outcome, mayHaveBeenSent: sentBefore, request: try request(account: account)))
    }

    @Test(arguments: [
        ("succeeded", "succeeded"), ("requires_capture", "authorized"), ("requires_payment_method", "cancel"),
        ("canceled", "not_charged"), ("requires_action", "cancel"), ("processing", "look up: pending"),
        ("requires_confirmation", "look up: pending"), ("a_new_word", "look up: pending"),
    ])
    func `an intent is judged by its state`(status: String, expected: String) throws {
        #expect(try judge(object(.paymentIntent, status)) == expected)
        #expect(try judge(object(.paymentIntent, status), sentBefore: true) == expected)
    }

    @Test func `a refused object says what its refusal said`() throws {
        #expect(try judge(object(.paymentIntent, "requires_payment_method", failure: "card_declined")) == "declined")
        for kind in [(StripeObject.Kind.paymentIntent, "requires_payment_method"), (.charge, "failed")] {
            #expect(try judge(object(kind.0, kind.1, failure: "authentication_required")) == "requires_action")
        }
    }

    @Test func `an intent that waits is cancelled and says what a cancelled one says`() throws {
        for status in ["requires_action", "requires_payment_method"] {
            let outcome = object(.paymentIntent, status)
            guard
                case .cancel("x_1", let end) = Verdict.of(outcome, mayHaveBeenSent: false, request: try request()),
                case .final(let cancelled) = Verdict.of(
                    object(.paymentIntent, "canceled"), mayHaveBeenSent: true, request: try request())
            else { Issue.record("\(status) is not cancelled"); continue }
            #expect(end.status == cancelled.status)
            #expect(end.code == cancelled.code)
        }
    }

    @Test func `a charge is judged by its state`() throws {
        #expect(try judge(object(.charge, "succeeded")) == "succeeded")
        #expect(try judge(object(.charge, "succeeded", captured: false)) == "authorized")
        #expect(try judge(object(.charge, "failed")) == "declined")
        #expect(try judge(object(.charge, "pending")) == "look up: pending")
        #expect(try judge(object(.charge, "a_new_word")) == "look up: pending")
    }

    @Test(arguments: [
        "card_declined", "expired_card", "incorrect_cvc", "processing_error", "card_decline_rate_limit_exceeded",
        "a_code_of_tomorrow",
    ])
    func `any card error is a decline, sent before or not`(code: String) throws {
        #expect(try judge(error(402, "card_error", code: code)) == "declined")
        #expect(try judge(error(402, "card_error", code: code, replayed: true), sentBefore: true) == "declined")
    }

    @Test func `other 402s`() throws {
        #expect(try judge(error(402, "card_error", code: "authentication_required")) == "requires_action")
        #expect(try judge(error(402)) == "rejected")
    }

    @Test(arguments: [400, 401, 403, 404])
    func `a 4xx is no end for what may have been sent before`(status: Int) throws {
        #expect(
            try judge(error(status, code: "resource_missing", param: "source"), sentBefore: true)
                == "look up: rejected_after_send")
        #expect(
            try judge(error(status, code: "amount_too_small", param: "amount", replayed: true))
                == "look up: rejected_after_send", "a replay says that it was sent before")
    }

    @Test(arguments: [
        "token_already_used", "token_in_use", "payment_intent_unexpected_state", "charge_already_captured",
    ])
    func `state codes are looked up always`(code: String) throws {
        #expect(try judge(error(400, code: code, param: "source")) == "look up: used_before")
    }

    @Test func `a key of another request is looked up`() throws {
        #expect(try judge(error(400, "idempotency_error")) == "look up: used_before")
    }

    @Test(arguments: [
        (400, "amount_too_small", "amount"), (400, "resource_missing", "source"), (404, "missing", "source"),
        (400, "resource_missing", "payment_method_data[card][token]"), (400, nil, "currency"),
    ])
    func `what the caller sent is rejected`(status: Int, code: String?, param: String) throws {
        #expect(try judge(error(status, code: code, param: param)) == "rejected")
    }

    @Test func `what the caller never sent is the operator's`() throws {
        #expect(try judge(error(400, code: "parameter_unknown", param: "expand")) == "operator")
        #expect(try judge(error(400, code: "parameter_unknown", param: "statement_descriptor_suffix")) == "operator")
        #expect(try judge(error(400)) == "operator")
        #expect(try judge(error(401)) == "operator")
        #expect(try judge(error(403)) == "operator")
        #expect(try judge(error(400, code: "api_key_expired")) == "operator")
        #expect(try judge(.notSent(NotSent(kind: .certificate, message: "self-signed"))) == "operator")
    }

    @Test func `a wrong connected account is its caller's`() throws {
        #expect(try judge(error(403, code: "account_invalid"), account: "acct_1") == "rejected")
        #expect(try judge(error(403), account: "acct_1") == "rejected")
        #expect(try judge(error(401), account: "acct_1") == "operator")
        let verdict = Verdict.of(error(403), mayHaveBeenSent: false, request: try request(account: "acct_1"))
        guard case .final(let end) = verdict else { Issue.record("not final"); return }
        #expect(end.error?.param == "stripe_account")
    }

    @Test func `not now`() throws {
        for sentBefore in [false, true] {
            #expect(try judge(error(409, code: "idempotency_key_in_use"), sentBefore: sentBefore) == "again: locked")
            #expect(try judge(error(429, code: "lock_timeout"), sentBefore: sentBefore) == "again: locked")
            #expect(try judge(error(400, shouldRetry: true), sentBefore: sentBefore) == "again: locked")
            #expect(try judge(error(429, code: "rate_limit"), sentBefore: sentBefore) == "again: limited")
            #expect(try judge(error(429), sentBefore: sentBefore) == "again: limited")
            #expect(try judge(error(400, code: "rate_limit"), sentBefore: sentBefore) == "again: limited")
            #expect(
                try judge(.notSent(NotSent(kind: .resolve, message: "")), sentBefore: sentBefore) == "again: not sent")
        }
    }

    @Test(arguments: [500, 502, 503, 504, 599])
    func `a 5xx is never a failure`(status: Int) throws {
        #expect(try judge(error(status, "api_error")) == "again: may have moved")
        #expect(try judge(error(status, "api_error", shouldRetry: true)) == "again: may have moved")
        #expect(try judge(error(status, "api_error", shouldRetry: false)) == "look up: retry_useless")
        #expect(try judge(error(status, "api_error", replayed: true)) == "look up: stored_failure")
        #expect(
            try judge(error(status, "api_error", replayed: true, shouldRetry: true)) == "look up: stored_failure",
            "replayed beats should-retry")
    }

    @Test func `no answer, or not Stripe's, may have moved money`() throws {
        #expect(try judge(.noAnswer("timeout")) == "again: may have moved")
        #expect(try judge(.notStripe("html")) == "again: may have moved")
        #expect(try judge(error(424)) == "again: may have moved")
        #expect(try judge(error(400, code: "payment_method_provider_timeout")) == "again: may have moved")
    }

    @Test func `an answer about another charge is looked up`() throws {
        var other = StripeObject(kind: .charge, id: "ch_1", status: "succeeded", amount: 1999, currency: "usd")
        other.chargelineID = "order-2"
        let outcome = StripeOutcome.answered(StripeAnswer(status: 200, requestID: "req_1", body: .object(other)))
        #expect(try judge(outcome) == "look up: used_before")
    }

    /// Whatever Stripe answers, a charge that may have been sent before ends only by an object or a card error.
    @Test func `nothing but an object or a 402 ends what may have been sent`() throws {
        for status in [400, 401, 403, 404, 405, 409, 410, 413, 418, 424, 429, 500, 501, 503] {
            for code in [nil, "resource_missing", "parameter_unknown", "lock_timeout", "account_invalid", "x"] {
                for replayed in [false, true] {
                    for shouldRetry in [nil, false, true] {
                        let outcome = error(
                            status, code: code, param: "amount", replayed: replayed, shouldRetry: shouldRetry)
                        let verdict = Verdict.of(
                            outcome, mayHaveBeenSent: true, request: try request(account: "acct_1"))
                        if case .final = verdict { Issue.record("\(status) \(code ?? "-") \(replayed) ends it") }
                        if case .operatorNeeded = verdict { Issue.record("\(status) \(code ?? "-") is not looked up") }
                    }
                }
            }
        }
    }
}

struct RetryPolicyTests {
    private let policy = RetryPolicy(tiers: [1, 5, 30, 120, 600, 3600].map { WaitTier(milliseconds: $0 * 1000) })

    @Test func `at most about two seconds in the process`() {
        for again in [Again.locked, .notSent, .mayHaveMoved] {
            var total: Int64 = 0
            var repeats = 0
            while let pause = policy.pause(again, repeats: repeats, chance: 0.999) {
                total += pause
                repeats += 1
                #expect(repeats < 10)
            }
            #expect((500...2_000).contains(total), "\(again)")
        }
        #expect(policy.pause(.limited(retryAfter: nil), repeats: 0, chance: 0) == nil)
    }

    @Test func `pauses lie in the upper half of their range`() {
        #expect(policy.pause(.mayHaveMoved, repeats: 0, chance: 0) == 200)
        #expect(policy.pause(.mayHaveMoved, repeats: 0, chance: 0.999) == 399)
        #expect(policy.pause(.mayHaveMoved, repeats: 1, chance: 0) == 400)
    }

    @Test func `waits grow step by step and stay at the longest`() {
        let waits = [3, 6, 9, 12, 15, 18, 21, 300].map { policy.tier(.mayHaveMoved, attempts: $0, chance: 0.9).name }
        #expect(waits == ["1s", "5s", "30s", "120s", "600s", "3600s", "3600s", "3600s"])
        #expect(policy.tier(.mayHaveMoved, attempts: 9, chance: 0.1).name == "5s")
        #expect(policy.tier(.mayHaveMoved, attempts: 0, chance: 0.1).name == "1s")
    }

    @Test func `look-ups keep their schedule on any list of delays`() {
        #expect(
            (0...5).map { policy.lookUpTier(lookups: $0).name } == ["30s", "120s", "600s", "3600s", "3600s", "3600s"])
        let short = RetryPolicy(tiers: [WaitTier(milliseconds: 250), WaitTier(milliseconds: 2000)])
        #expect(short.lookUpTier(lookups: 0).name == "2s")
        #expect(RetryPolicy(tiers: []).lookUpTier(lookups: 9).name == "1s")
        #expect(WaitTier(milliseconds: 250).name == "250ms")
    }

    @Test func `Stripe's own advice is heard`() {
        #expect(policy.tier(.limited(retryAfter: 20_000), attempts: 0, chance: 0.9).name == "30s")
    }
}
