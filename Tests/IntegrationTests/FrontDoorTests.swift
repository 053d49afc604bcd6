import Foundation
import TestSupport
import Testing

/// The API from a client's side of the socket.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct FrontDoorTests {
    private static let form = ["Content-Type: application/x-www-form-urlencoded"]

    @Test func `charges from a call to its result`() async throws {
        let site = try await Site.start()
        let (api, worker) = try await site.apiAndWorker()

        let paid = try await site.call(
            api, "POST", "/charge", body: "token=tok_visa&amount=1999&currency=usd&description=Two+puppies",
            headers: Self.form)
        #expect(paid.status == 200)
        #expect(paid.json["status"] as? String == "succeeded")
        #expect(paid.json["amount"] as? Int == 1999)

        let declined = try await site.call(
            api, "POST", "/charge", body: "token=tok_chargeDeclined&amount=1999&currency=usd", headers: Self.form)
        #expect(declined.status == 402)
        #expect(declined.json["status"] as? String == "declined")

        let waited = try await site.post(
            api, #"{"id":"door-1","token":"tok_visa","amount":700,"currency":"eur","metadata":{"order":"7"}}"#,
            headers: ["Prefer: wait=10"])
        #expect(waited.status == 200)
        #expect(waited.headers["preference-applied"] == "wait=10")
        #expect(waited.json["event"] as? String == "door-1.succeeded")
        #expect((waited.json["metadata"] as? [String: String])?["order"] == "7")

        let queued = try await site.post(api, #"{"id":"door-2","token":"tok_visa","amount":800,"currency":"usd"}"#)
        #expect(queued.status == 202)
        let location = try #require(queued.headers["location"])
        #expect(location == "/v1/charges/door-2")
        var fetched = try await site.call(api, "GET", location)
        while fetched.status == 202 { fetched = try await site.call(api, "GET", location) }
        #expect(fetched.status == 200)
        #expect(fetched.json["final"] as? Bool == true)

        let atStripe = try await site.post(
            api, #"{"id":"door-3","token":"tok_unknownToStripe","amount":800,"currency":"usd"}"#,
            headers: ["Prefer: wait=10"])
        #expect(atStripe.status == 422)
        #expect((atStripe.json["failure"] as? [String: Any])?["param"] is String)

        #expect(try await site.ledger().charged["door-2"] == 1)
        #expect(await api.end() == .status(0))
        #expect(await worker.end() == .status(0))
        await site.finish()
    }

    /// The same id with other contents is not the same charge: the second is refused, and the first is not shown as its
    /// result.
    @Test func `an id that belongs to another charge`() async throws {
        let site = try await Site.start()
        let (api, _) = try await site.apiAndWorker()
        let one = try await site.post(
            api, #"{"id":"same","token":"tok_visa","amount":700,"currency":"usd"}"#, headers: ["Prefer: wait=10"])
        #expect(one.status == 200)
        let other = try await site.post(
            api, #"{"id":"same","token":"tok_visa","amount":900,"currency":"usd"}"#, headers: ["Prefer: wait=10"])
        #expect(other.status == 409)
        #expect(other.json["status"] as? String == "refused")
        #expect(try await site.call(api, "GET", "/v1/charges/same").status == 200)
        #expect(try await site.ledger().lines(of: "same").map(\.amount) == [700])
        await site.finish()
    }

    @Test func `one key, twenty calls at once, one charge`() async throws {
        let site = try await Site.start(sandbox: ["--latency", "300ms"])
        let (api, _) = try await site.apiAndWorker()
        let worker = try await site.worker()
        try await worker.untilReady()
        let answers = try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let body = #"{"token":"tok_visa","amount":4200,"currency":"usd","x_try":\#(number)}"#
                    return try await site.post(
                        api, body, headers: ["Idempotency-Key: the-same", "Prefer: wait=15"])
                }
            }
            return try await group.reduce(into: [HTTP.Answer]()) { $0.append($1) }
        }
        #expect(Set(answers.map(\.status)) == [200])
        let ids = Set(answers.compactMap { $0.json["id"] as? String })
        #expect(ids.count == 1)
        #expect(ids.allSatisfy { $0.hasPrefix("ik_") })
        #expect(Set(answers.compactMap { $0.json["event"] as? String }).count == 1)
        #expect(try await site.ledger().lines.filter(\.moved).count == 1)
        await site.finish()
    }

    @Test func `a buyer is not kept waiting for nobody`() async throws {
        let site = try await Site.start()
        // Who pays in the moment between a worker's end and its notice waits this long.
        let api = try await site.api(["CHARGELINE_WAIT_MAX": "2s"])
        try await api.untilReady()
        func pay() async throws -> HTTP.Answer {
            try await site.call(
                api, "POST", "/charge", body: "token=tok_visa&amount=700&currency=usd", headers: Self.form)
        }
        // Once the broker was asked; a worker that comes and goes is noticed too.
        var answer = try await pay()
        #expect(answer.status == 503)
        #expect(answer.json["type"] as? String == "/problems/no-worker")
        #expect(answer.headers["retry-after"] != nil)
        let worker = try await site.worker()
        try await worker.untilReady()
        repeat { answer = try await pay() } while answer.status == 503
        #expect(answer.status == 200)
        #expect(await worker.end() == .status(0))
        repeat { answer = try await pay() } while answer.status != 503
        await site.finish()
    }

    /// A call that is refused: what is sent, and what comes back.
    struct Refusal: Sendable {
        let what: String
        var method = "POST"
        var target = "/v1/charges"
        var body: String? = #"{"token":"tok_visa","amount":700,"currency":"usd"}"#
        var headers = ["Content-Type: application/json"]
        let status: Int
        var field: String?
    }

    private static func json(_ body: String, _ status: Int, _ field: String? = nil) -> Refusal {
        Refusal(what: String(body.prefix(60)), body: body, status: status, field: field)
    }

    private static let refusals = [
        json(#"{"token":"tok_visa","amount":19.99,"currency":"usd"}"#, 422, "amount"),
        json(#"{"token":"tok_visa","amount":"1999","currency":"usd"}"#, 422, "amount"),
        json(#"{"token":"tok_visa","amount":1999.0,"currency":"usd"}"#, 422, "amount"),
        json(#"{"token":"tok_visa","amount":-5,"currency":"usd"}"#, 422, "amount"),
        json(#"{"token":"tok_visa","amount":99999999999999999999,"currency":"usd"}"#, 422, "amount"),
        json(#"{"token":"tok_visa","amount":700,"currency":"dollars"}"#, 422, "currency"),
        json(#"{"token":"tok_visa","amount":700,"currency":"usd","amout":7}"#, 422, "amout"),
        json(#"{"token":"4242424242424242","amount":700,"currency":"usd"}"#, 422, "token"),
        json(#"{"token":"tok_visa","amount":700,"currency":"usd","id":"a b"}"#, 422, "id"),
        json(#"{"token":"tok_visa","amount":700"#, 400), json("", 400), json("[]", 400), json("null", 400),
        json(String(repeating: "[", count: 20_000), 400), json("{\"token\":\"\u{1}\"}", 400),
        Refusal(what: "no type", headers: [], status: 415),
        Refusal(what: "a type of another kind", headers: ["Content-Type: text/plain"], status: 415),
        Refusal(what: "too large", body: String(repeating: " ", count: 300_000), status: 413),
        Refusal(what: "another method", method: "PUT", status: 405),
        Refusal(what: "a read of what is only written", method: "GET", target: "/charge", body: nil, status: 405),
        Refusal(what: "nothing there", method: "GET", target: "/v2/charges", body: nil, status: 404),
        Refusal(what: "not seen", method: "GET", target: "/v1/charges/nobody", body: nil, status: 404),
        Refusal(what: "no lane of that name", target: "/v1/charges?lane=chekout", status: 422),
        Refusal(
            what: "an empty key", headers: ["Content-Type: application/json", "Idempotency-Key: "], status: 400),
        Refusal(
            what: "a field twice in a form", target: "/charge", body: "token=tok_visa&amount=1&amount=2&currency=usd",
            headers: form, status: 422, field: "amount"),
    ]

    @Test func `what is wrong is refused by name, and the next call served`() async throws {
        let site = try await Site.start()
        let (api, _) = try await site.apiAndWorker()
        for refusal in Self.refusals {
            let answer = try await site.call(
                api, refusal.method, refusal.target, body: refusal.body, headers: refusal.headers)
            #expect(answer.status == refusal.status, "\(refusal.what): \(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json", "\(refusal.what)")
            #expect(answer.json["status"] as? Int == refusal.status, "\(refusal.what): \(answer.text)")
            #expect(answer.headers["x-request-id"] != nil, "\(refusal.what)")
            if let field = refusal.field {
                let errors = answer.json["errors"] as? [[String: Any]] ?? []
                #expect(errors.contains { $0["field"] as? String == field }, "\(refusal.what): \(answer.text)")
            }
        }
        #expect(try await site.ledger().lines.isEmpty)
        let good = try await site.post(
            api, #"{"token":"tok_visa","amount":700,"currency":"usd"}"#, headers: ["Prefer: wait=10"])
        #expect(good.status == 200)
        await site.finish()
    }

    @Test func `only by key where there are keys`() async throws {
        let site = try await Site.start()
        let (shop, gala) = (await site.keepSecret(Site.mark()), await site.keepSecret(Site.mark()))
        let (api, _) = try await site.apiAndWorker(["CHARGELINE_API_KEYS": "shop:\(shop),gala:\(gala)"])
        let body = #"{"id":"keyed","token":"tok_visa","amount":700,"currency":"usd"}"#
        #expect(try await site.post(api, body).status == 401)
        #expect(try await site.post(api, body, headers: ["Authorization: Bearer \(shop)x"]).status == 401)
        let ours = "Authorization: Bearer \(shop)"
        let answer = try await site.post(api, body, headers: [ours, "Prefer: wait=10"])
        #expect(answer.status == 200)
        // Two callers cannot meet in one id.
        #expect(answer.json["id"] as? String == "shop:keyed")
        #expect(try await site.call(api, "GET", "/v1/charges/keyed", headers: [ours]).status == 200)
        let theirs = "Authorization: Bearer \(gala)"
        #expect(try await site.call(api, "GET", "/v1/charges/shop:keyed", headers: [theirs]).status == 404)
        let other = try await site.post(api, body, headers: [theirs, "Prefer: wait=10"])
        #expect(other.json["id"] as? String == "gala:keyed")
        #expect(try await site.ledger().charged == ["shop:keyed": 1, "gala:keyed": 1])
        await site.finish()
    }
}
