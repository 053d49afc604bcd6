import Charging
import JSONText
import Testing

@testable import HTTPClient
@testable import StripeClient

/// What answers in Stripe's place.
@Suite(.timeLimit(.minutes(30)))
struct StripeBytesTests {
    private static let charge =
        #"{"id":"ch_3","object":"charge","amount":1999,"captured":true,"created":1790000000,"currency":"usd","#
        + #""customer":"cus_9","failure_code":null,"livemode":false,"metadata":{"chargeline_id":"order-1","#
        + #""chargeline_print":"0123456789abcdef"},"outcome":{"advice_code":null,"reason":null},"paid":true,"#
        + #""payment_intent":"pi_3","receipt_url":"https://pay.stripe.com/r/1","status":"succeeded"}"#
    private static let intent =
        #"{"id":"pi_3","object":"payment_intent","amount":1999,"client_secret":"pi_3_secret_CanaryCanary","#
        + #""created":1790000000,"currency":"usd","customer":{"id":"cus_1","object":"customer"},"#
        + #""latest_charge":\#(charge),"last_payment_error":null,"livemode":true,"status":"requires_capture"}"#
    private static let error =
        #"{"error":{"type":"card_error","code":"card_declined","decline_code":"lost_card","advice_code":"x","#
        + #""message":"No such token: '\#(Canary.token)' for \#(Canary.card) with \#(Canary.key)","param":"source","#
        + #""charge":"ch_1","payment_intent":{"id":"pi_1","status":"requires_payment_method"}}}"#

    private static func reply(_ status: Int, _ body: [UInt8]) -> HTTPReply {
        // Index 0 of the captured headers is Request-Id.
        let headers = ReplyHeaders(names: AnswerReader.headers, records: [0, 0, 5] + Array("req_1".utf8))
        return HTTPReply(status: status, headers: headers, body: body, version: .http11, madeConnection: false)
    }

    @Test func `an object`() async {
        await Fuzz.run("an object of Stripe's", [Self.charge, Self.intent]) { bytes in
            switch AnswerReader.read(.reply(Self.reply(200, bytes))) {
            case .answered(let answer):
                if case .error = answer.body { return "an error in a 200" }
                return nil
            case .notStripe(let why): return Canary.found(in: why)
            case .notSent, .noAnswer: return "an answer is called none"
            }
        }
    }

    @Test func `an error`() async {
        await Fuzz.run("an error of Stripe's", [Self.error]) { bytes in
            let outcome = AnswerReader.read(.reply(Self.reply(402, bytes)))
            // Damage can make another word of one that would have been masked; a whole one must be.
            let text = "No such token: '\(Canary.token)' for \(Canary.card) with \(Canary.key)"
            let whole = "\"message\":\"\(text)\""
            let holdsWhole = String(decoding: bytes, as: UTF8.self).contains(whole)
            return holdsWhole ? Canary.found(in: "\(outcome)") : nil
        }
    }

    @Test func `a page of a search`() async {
        let page =
            #"{"object":"search_result","data":[\#(Self.intent),\#(Self.charge)],"has_more":true,"next_page":"a"}"#
        await Fuzz.run("a page of a search", [page]) { bytes in
            var json = JSONReader(bytes)
            guard let page = try? StripePage.read(&json), (try? json.end()) != nil else { return nil }
            return page.payments.allSatisfy { !$0.id.isEmpty && !$0.status.isEmpty } ? nil : "a payment without a name"
        }
    }
}
