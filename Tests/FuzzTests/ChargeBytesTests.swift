import Charging
import Testing

/// What callers and the broker hand in.
@Suite(.timeLimit(.minutes(30)))
struct ChargeBytesTests {
    private static let json = [
        #"{"id":"order-1001","token":"\#(Canary.token)","amount":1999,"currency":"usd","description":"Two puppies","#
            + #""metadata":{"order":"1001","n":7},"receipt_email":"buyer@example.com","capture":false,"off_session":true,"#
            + #""statement_descriptor_suffix":"PUPPIES","customer":"cus_NffrFeUfNV2Hib","stripe_account":"acct_1","#
            + #""not_after":"2026-01-02T03:04:05Z","livemode":false,"x_free":[1,{"a":null}]}"#,
        #"{"id":"a","token":"pm_card_visa","amount":1,"currency":"jpy"}"#,
        #"{"number":"\#(Canary.card)","card":{"number":"\#(Canary.card)","cvc":"123"},"token":"\#(Canary.card)"}"#,
    ]
    private static let form = [
        "id=order-1001&token=\(Canary.token)&amount=1999&currency=usd&description=Two+puppies&metadata[order]=1001"
            + "&receipt_email=buyer%40example.com&capture=false&not_after=2026-01-02T03:04:05Z",
        "token=\(Canary.token)&amount=1999&currency=usd&card[number]=\(Canary.card)&metadata[\(Canary.card)]=x",
    ]

    @Test func `a charge as JSON`() async {
        await Fuzz.run("a charge as JSON", Self.json) { bytes in
            Flow.allCases.lazy.compactMap { flow in
                Self.judge(flow) { () throws(ChargeRequestProblems) in try ChargeRequest(json: bytes, flow: flow) }
            }.first
        }
    }

    @Test func `a charge as a form`() async {
        await Fuzz.run("a charge as a form", Self.form) { bytes in
            Flow.allCases.lazy.compactMap { flow in
                Self.judge(flow) { () throws(ChargeRequestProblems) in try ChargeRequest(form: bytes, flow: flow) }
            }.first
        }
    }

    /// What is taken reads back the same and gives the same form again; what is not says why, and repeats nothing.
    private static func judge(
        _ flow: Flow, _ read: () throws(ChargeRequestProblems) -> ChargeRequest
    ) -> String? {
        do throws(ChargeRequestProblems) {
            let request = try read()
            guard (try? ChargeRequest(json: request.json(), flow: flow)) == request else {
                return "reads back otherwise"
            }
            guard ChargeForm.encode(request, flow: flow) == ChargeForm.encode(request, flow: flow) else {
                return "two forms of one charge"
            }
            return CardNumbers.isPresent(in: request.description ?? "") ? "a card number is taken" : nil
        } catch {
            guard !error.problems.isEmpty else { return "refused without a problem" }
            let said = error.problems.map { "\($0.field) \($0.pointer) \($0.message)" }.joined(separator: " ")
            return Canary.found(in: said)
        }
    }

    @Test func `the headers of a message`() async {
        let corpus = [
            "x-chargeline-accepted", "x-chargeline-first-sent", "x-chargeline-last-sent", "x-chargeline-attempts",
            "x-chargeline-lookups", "x-chargeline-phase", "x-chargeline-flow", "x-chargeline-encoding",
            "x-chargeline-caller", "x-chargeline-suspect", "x-chargeline-publish", "x-chargeline-key-taken",
            "x-chargeline-rejected", "lookup", "charges", "payment_intents", "x-death", "-5",
        ]
        await Fuzz.run("the headers of a message", corpus) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            var headers = ChargeHeaders()
            let number = bytes.reduce(Int64(bytes.count)) { $0 &* 31 &+ Int64($1) }
            for name in corpus + [text] {
                _ = headers.take(name, .int(number))
                _ = headers.take(name, .text(text))
            }
            var again = ChargeHeaders()
            var isUnderstood = true
            headers.forEach { name, value in if !again.take(name, value) { isUnderstood = false } }
            return isUnderstood && again == headers ? nil : "written otherwise than it was read"
        }
    }

    @Test func `a result`() async {
        let corpus = [
            #"{"version":1,"event":"order-1.succeeded","id":"order-1","sequence":3,"final":true,"status":"succeeded","#
                + #""amount":1999,"currency":"usd","lane":"checkout","metadata":{"a":"b"},"correlation_id":"c","caller":null,"#
                + #""stripe":{"payment_intent":"pi_1","charge":"ch_1","request_id":"req_1","livemode":false},"failure":null,"#
                + #""attempts":1,"replayed":false,"accepted_at":"2026-01-02T03:04:05.678Z","#
                + #""completed_at":"2026-01-02T03:04:06.123Z"}"#
        ]
        await Fuzz.run("a result", corpus) { bytes in
            guard let result = try? ChargeResult(json: bytes) else { return nil }
            return (try? ChargeResult(json: result.json())) == result ? nil : "reads back otherwise"
        }
    }
}
