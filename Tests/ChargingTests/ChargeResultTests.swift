import Foundation
import Testing

@testable import Charging

@Suite struct ChargeResultTests {
    private static func succeeded() throws -> ChargeResult {
        let request = ChargeRequest(
            id: try ChargeID(validating: "order-1001"), token: try CardToken(validating: ChargeBodies.token),
            amount: 1999,
            currency: try #require(Currency("usd")), metadata: ["order": "1001"], receiptEmail: "buyer@example.com")
        return ChargeResult(
            of: request, status: .succeeded, lane: "checkout", caller: "shop",
            stripe: StripeReference(paymentIntent: "pi_1", charge: "ch_1", requestID: "req_1", livemode: false),
            attempts: 1,
            acceptedAt: 1_767_323_045_678, completedAt: 1_767_323_046_123)
    }

    @Test func `the body is the contract's, field by field`() throws {
        let body = String(decoding: try Self.succeeded().json(), as: UTF8.self)
        let expected = #"""
            {"version":1,"event":"order-1001.succeeded","id":"order-1001","sequence":3,"final":true,"status":"succeeded",
            "amount":1999,"currency":"usd","lane":"checkout","metadata":{"order":"1001"},"correlation_id":"order-1001","caller":"shop",
            "receipt_email":"buyer@example.com","customer":null,
            "stripe":{"payment_intent":"pi_1","charge":"ch_1","request_id":"req_1","livemode":false,"receipt_url":null},
            "failure":null,"attempts":1,"replayed":false,
            "accepted_at":"2026-01-02T03:04:05.678Z","completed_at":"2026-01-02T03:04:06.123Z"}
            """#
        #expect(body == expected.replacing("\n", with: ""))
        #expect(!body.contains("tok_"))
    }

    @Test(arguments: [
        (ChargeStatus.succeeded, 3, true), (.authorized, 3, true), (.declined, 3, true), (.requiresAction, 3, true),
        (.rejected, 3, true), (.notCharged, 3, true), (.unknown, 1, false), (.parked, 2, false), (.refused, 0, false),
    ])
    func `rank and finality`(status: ChargeStatus, sequence: Int, isFinal: Bool) throws {
        let result = ChargeResult(
            id: try ChargeID(validating: "a"), status: status, lane: "batch", acceptedAt: nil, completedAt: 0)
        #expect(result.sequence == sequence && result.isFinal == isFinal)
        #expect(result.event == "a.\(status.rawValue)")
        let read = try JSONSerialization.jsonObject(with: Data(result.json())) as? [String: Any]
        #expect(read?["sequence"] as? Int == sequence && read?["final"] as? Bool == isFinal)
        #expect(read?["status"] as? String == status.rawValue)
        #expect(read?["amount"] is NSNull && read?["accepted_at"] is NSNull)
        #expect(try ChargeResult(json: result.json()) == result)
    }

    @Test func `a refused result names the body it refuses`() throws {
        func refused(_ body: String) throws -> ChargeResult {
            ChargeResult.refused(
                id: try ChargeID(validating: "a"), body: Array(body.utf8), lane: "checkout",
                failure: ChargeFailure(code: "invalid_json", message: "m"), acceptedAt: nil, completedAt: 0)
        }
        // printf 'hello' | sha256sum
        #expect(try refused("hello").event == "a.refused.2cf24dba")
        #expect(try refused("hello") == refused("hello"))
        #expect(try refused("hello ").event != refused("hello").event)
        #expect(try refused("hello").failure?.buyerCode == nil)
    }

    @Test func `a declined result always says what the buyer may be told`() throws {
        let result = ChargeResult(
            id: try ChargeID(validating: "a"), status: .declined, lane: "checkout",
            failure: ChargeFailure(
                code: "card_declined", declineCode: "stolen_card", advice: "do_not_try_again", message: "Stolen.",
                param: nil),
            acceptedAt: 0, completedAt: 0)
        #expect(result.failure?.declineCode == "stolen_card")
        #expect(result.failure?.buyerCode == "generic_decline")
        #expect(result.failure?.buyerMessage == "The card was declined. Please use another card, or ask your bank.")
        #expect(try ChargeResult(json: result.json()) == result)
    }

    @Test func `a later version's result is read, unknown and odd fields passed over`() throws {
        let body = #"""
            {"version":2,"new":{"deep":[1,{"a":null}]},"id":"a","status":"declined","completed_at":"2026-01-02T03:04:05Z",
             "failure":{"code":"card_declined","message":"m","network":{"x":1}},"stripe":{"charge":"ch_1","more":[]},
             "metadata":{"a":"1","n":2},"attempts":"three","amount":"19","lane":7}
            """#
        let result = try ChargeResult(json: Array(body.utf8))
        #expect(result.failure?.code == "card_declined" && result.stripe.charge == "ch_1")
        #expect(result.metadata == ["a": "1"] && result.attempts == 0 && result.amount == nil && result.lane == "")
        #expect(result.event == "a.declined" && result.correlationID == "a")
    }

    @Test(arguments: [
        ("", "not a result: unexpected end at byte 0"), ("[]", "not a result: wrong kind at byte 0"),
        ("{}", "not a result: id is absent or not valid"),
        (#"{"id":"a b"}"#, "not a result: id is absent or not valid"),
        (#"{"id":"a","status":"great"}"#, "not a result: status is absent or not valid"),
        (#"{"id":"a","status":"parked"}"#, "not a result: completed_at is absent or not valid"),
    ])
    func `what is no result is told why`(body: String, words: String) {
        let fault = #expect(throws: ChargeResultFault.self) { try ChargeResult(json: Array(body.utf8)) }
        #expect(fault?.description == words)
    }
}
