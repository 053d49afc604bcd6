import Charging
import StripeClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(8)))
struct AnswerTests {
    @Test func anIntentWithItsChargeTellsAllThatAResultNeeds() async throws {
        let object = try await outcome(200, Answers.intent()).object
        var expected = StripeObject(
            kind: .paymentIntent, id: "pi_3Rq1", status: "succeeded", amount: 1999, currency: "usd")
        expected.created = 1_790_000_000
        expected.livemode = true
        expected.captured = true
        expected.paid = true
        expected.chargeID = "ch_3Rq1"
        expected.receiptURL = "https://pay.stripe.com/receipts/payment/CAca"
        expected.chargelineID = "order-1001"
        expected.chargelinePrint = "0123456789abcdef"
        #expect(object == expected)
    }

    @Test func anIntentMayNameItsChargeOrHaveNone() async throws {
        let named = try await outcome(200, Answers.intent(latestCharge: "\"ch_9\"")).object
        #expect(named.chargeID == "ch_9")
        let without = try await outcome(
            200,
            Answers.intent(
                status: "requires_payment_method", latestCharge: "null",
                error: #"{"type":"card_error","code":"card_declined","decline_code":"lost_card","message":"No."}"#)
        ).object
        #expect(without.chargeID == nil)
        #expect(without.failure?.declineCode == "lost_card")
        let held = try await outcome(200, Answers.intent(status: "requires_capture", latestCharge: "\"ch_9\"")).object
        #expect(!held.captured)
    }

    @Test func aChargeTellsTheSameAndKnowsItsIntent() async throws {
        let object = try await outcome(200, Answers.charge).object
        #expect(object.kind == .charge)
        #expect(object.id == "ch_3Rq1")
        #expect(object.chargeID == "ch_3Rq1")
        #expect(object.paymentIntentID == "pi_3Rq1")
        #expect(object.customer == "cus_9")
        #expect(object.captured && object.paid && !object.livemode)
        #expect(object.chargelineID == "order-1001")
        #expect(object.failure == nil)
    }

    @Test func aFailedChargeTellsWhy() async throws {
        let object = try await outcome(200, Answers.failedCharge).object
        #expect(object.status == "failed")
        #expect(object.customer == "cus_8")
        #expect(object.chargelineID == nil)
        #expect(object.failure?.code == "card_declined")
        #expect(object.failure?.declineCode == "stolen_card")
        #expect(object.failure?.advice == "do_not_try_again")
        #expect(object.failure?.chargeID == "ch_3Rq3")
    }

    @Test func aDeclineNamesItsCodesItsChargeAndTheIntentLeftBehind() async throws {
        let answer = try await outcome(402, Answers.declined).answer
        #expect(answer.status == 402)
        #expect(answer.requestID == "req_1")
        #expect(!answer.replayed)
        var expected = StripeError(type: "card_error", code: "card_declined")
        expected.declineCode = "insufficient_funds"
        expected.advice = "try_again_later"
        expected.message = "Your card has insufficient funds."
        expected.chargeID = "ch_3Rq2"
        expected.paymentIntent = StripeObjectReference(id: "pi_3Rq2", status: "requires_payment_method")
        #expect(answer.body == .error(expected))
    }

    @Test func theDecidingHeadersAreRead() async throws {
        let body = Answers.error(#""type":"api_error","message":"Sorry""#)
        let headers = [
            ("request-id", "req_2"), ("Idempotent-Replayed", "true"), ("Stripe-Should-Retry", "false"),
            ("Retry-After", "3"),
        ]
        let answer = try await outcome(500, body, headers).answer
        #expect(answer.replayed)
        #expect(answer.shouldRetry == false)
        #expect(answer.retryAfter == 3000)
        let plain = try await outcome(
            429, body, [("Request-Id", "req_3"), ("Stripe-Should-Retry", "maybe"), ("Retry-After", "Wed, 21 Oct")]
        ).answer
        #expect(!plain.replayed)
        #expect(plain.shouldRetry == nil)
        #expect(plain.retryAfter == nil)
        #expect(
            try await outcome(409, body, [("Request-Id", "r"), ("Stripe-Should-Retry", "true")]).answer.shouldRetry
                == true)
    }

    @Test(arguments: [
        ("payment_method", #"{"id":"pm_1","object":"payment_method","card":{},"created":1}"#),
        ("balance", #"{"object":"balance","available":[{"amount":1}],"livemode":false}"#),
    ])
    func otherObjectsAreNamed(name: String, body: String) async throws {
        #expect(try await outcome(200, body).answer.body == .other(name))
    }

    /// None of these is Stripe's answer, so money may have moved.
    @Test(arguments: [
        (200, Answers.intent() + "x", true), (200, String(Answers.intent().dropLast()), true), (200, "", true),
        (200, "<html>", true), (200, "[]", true), (200, "{}", true), (200, Answers.intent(), false),
        (200, #"{"object":"payment_intent","id":"pi_1","status":"succeeded","currency":"usd"}"#, true),
        (200, #"{"object":"charge","id":"ch_1","status":"succeeded","currency":"usd","amount":1999.0}"#, true),
        (200, Answers.declined, true), (201, Answers.intent(), true), (202, Answers.intent(), true), (204, "", true),
        (302, "", true), (402, Answers.intent(), true), (402, Answers.declined, false), (500, "{}", true),
        (502, "<html>Bad gateway</html>", false), (503, "", true), (400, #"{"error":"invalid_request"}"#, true),
        (400, #"{"error":{"message":"no type"}}"#, true),
    ])
    func whatIsNotStripesIsToldApart(status: Int, body: String, hasRequestID: Bool) async throws {
        let result = try await outcome(status, body, hasRequestID ? [("Request-Id", "req_1")] : [])
        guard case .notStripe(let message) = result else { throw Unexpected(what: "\(result)") }
        #expect(message.hasPrefix("status \(status), "))
    }

    @Test func messagesAreScrubbedOfWhatMustNotLeave() async throws {
        let message = """
            No such token: 'tok_1RqABCDEFGHIJKLMNOPQR'; keys sk_test_4eC39HqLyjWDarjtT1zdp7dc and whsec_abcdefgh1234; \
            card 4242 4242-4242 4242 or 4242424242424242; pi_3Rq1_secret_V1x and pm_1RqABCDEF
            """
        let error = try await outcome(
            400, Answers.error(#""type":"invalid_request_error","param":"source","message":"\#(message)""#)
        ).error
        let text = try #require(error.message)
        for secret in ["ABCDEF", "4eC39", "abcdefgh", "42424242", "4242 4242", "V1x"] {
            #expect(!text.contains(secret), "\(text)")
        }
        #expect(text.contains("No such token"))
        let failed = Answers.failedCharge.replacing(
            "Your card was declined.", with: "tok_1RqABCDEFGHIJKLMNOPQR is spent")
        #expect(try await outcome(200, failed).object.failure?.message?.contains("ABCDEF") == false)
    }

    @Test func aMessageHasABoundedLength() async throws {
        let long = String(repeating: "words ", count: 10_000)
        let error = try await outcome(400, Answers.error(#""type":"x","message":"\#(long)""#)).error
        #expect(error.message?.count == 1000)
    }
}
