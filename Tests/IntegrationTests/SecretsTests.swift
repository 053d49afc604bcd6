import Foundation
import TestSupport
import Testing

/// Keys, passwords, tokens and card numbers on every way through the processes; `Site.finish` then looks for them in
/// all that was written and answered.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct SecretsTests {
    private static let form = ["Content-Type: application/x-www-form-urlencoded"]

    @Test func `by HTTP`() async throws {
        let site = try await Site.start(sandbox: ["--single-use-tokens", "true"])
        let apiKey = await site.keepSecret(Site.mark())
        let password = await site.keepSecret(Site.mark())
        // The first broker is not there, and its password is in every line about that.
        let both = "amqp://shop:\(password)@127.0.0.1:1/%2F,\(site.broker)"
        let (api, worker) = try await site.apiAndWorker([
            "CHARGELINE_API_KEYS": "shop:\(apiKey)", "AMQP_URL": both,
        ])
        let ours = "Authorization: Bearer \(apiKey)"
        let card = await site.keepSecret("4242424242424242")
        let spaced = await site.keepSecret("4000 0566 5566 5556")
        let tokens = try await site.tokens(3)
        for token in tokens { _ = await site.keepSecret(token) }
        let unknown = await site.keepSecret("tok_1" + Site.mark())
        let alsoUnknown = await site.keepSecret("tok_1" + Site.mark())
        let method = await site.keepSecret("pm_1" + Site.mark())
        let otherKey = await site.keepSecret("sk_live_" + Site.mark())

        func post(_ fields: String, _ status: ClosedRange<Int>, _ headers: [String] = []) async throws {
            let answer = try await site.post(api, "{\(fields)}", headers: [ours, "Prefer: wait=10"] + headers)
            #expect(status.contains(answer.status), "\(fields.prefix(30)): \(answer.status)")
        }
        let money = #""amount":700,"currency":"usd""#
        try await post(#""token":"\#(tokens[0])",\#(money)"#, 200...200)
        // Spent by the charge before: Stripe's words name it, and it is looked up.
        let spent = try await site.post(
            api, #"{"id":"spent","token":"\#(tokens[0])",\#(money)}"#, headers: [ours, "Prefer: wait=1"])
        #expect(spent.status == 202)
        try await post(#""token":"\#(unknown)",\#(money)"#, 422...422)
        try await post(#""token":"\#(method)",\#(money)"#, 422...422)
        try await post(#""token":"\#(card)",\#(money)"#, 422...422)
        try await post(#""token":"tok_\#(card)",\#(money)"#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"description":"card \#(spaced)""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"description":"\#(tokens[1])""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"metadata":{"key":"\#(otherKey)"}"#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"metadata":{"\#(card)":"x"}"#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"receipt_email":"\#(card)@example.com""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"number":"\#(card)""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"\#(tokens[1])":1"#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"id":"\#(card)""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"id":"\#(tokens[1])""#, 422...422)
        try await post(#""token":"tok_visa",\#(money),"id":"\#(otherKey)""#, 422...422)
        try await post(#""token":"\#(tokens[1])",\#(money)"# + #","x"#, 400...400)
        try await post(#""token":"tok_visa",\#(money)"#, 200...200, ["Idempotency-Key: \(card)"])
        try await post(#""token":"tok_visa",\#(money)"#, 200...200, ["Idempotency-Key: \(otherKey)"])
        for body in [
            "token=\(card)&amount=700&currency=usd", "token=\(alsoUnknown)&amount=700&currency=usd",
            "card[number]=\(card)&amount=700&currency=usd", "token=\(tokens[2])&amount=7.00&currency=usd",
            "token=%zz\(tokens[2])",
        ] {
            let answer = try await site.call(api, "POST", "/charge", body: body, headers: Self.form + [ours])
            // 202 where the wait ended first: what is looked for here is what the answers say.
            #expect((202...422).contains(answer.status), "\(answer.status)")
        }
        for target in ["/v1/charges/\(card)", "/v1/charges/\(unknown)", "/\(otherKey)", "/charge?token=\(unknown)"] {
            let answer = try await site.call(api, "GET", target, headers: [ours])
            #expect(answer.status == 404 || answer.status == 405)
        }
        let wrong = await site.keepSecret(Site.mark())
        #expect(
            try await site.call(api, "GET", "/v1/charges/x", headers: ["Authorization: Bearer \(wrong)"]).status == 401)
        // What a caller names its request by comes back to that caller, but goes into no log.
        let named = try await HTTP.call(
            api.port, "GET", "/v1/charges/x", headers: [ours, "X-Request-Id: \(unknown)"])
        #expect(named.status == 404)
        for role in [api, worker] {
            await site.hear(try await HTTP.call(role.admin, "GET", "/metrics").text)
            await site.hear(try await HTTP.call(role.admin, "GET", "/readyz?verbose").text)
        }
        let taken = try await site.run(["results", "--take", "--json", "-n", "5"])
        #expect(taken.exit == .status(0))
        await site.finish()
    }

    @Test func `by AMQP, and parked`() async throws {
        let site = try await Site.start()
        let worker = try await site.worker()
        try await worker.untilReady()
        let card = await site.keepSecret("4242424242424242")
        let token = await site.keepSecret(try await site.tokens(1)[0])
        let bodies = [
            #"{"id":"p-1","token":"\#(card)","amount":700,"currency":"usd"}"#,
            #"{"id":"p-2","token":"tok_visa","amount":700,"currency":"usd","description":"\#(card)"}"#,
            #"{"id":"p-3","token":"\#(token)","amount":700,"currency":"usd""#,
            #"{"id":"p-4","token":"\#(token)","amount":7.5,"currency":"usd"}"#,
            #"{"id":"p-5","token":"\#(token)","amount":700,"currency":"usd","\#(card)":"\#(token)"}"#,
            #"token=\#(token)&number=\#(card)"#,
        ]
        for body in bodies {
            let sent = try await site.run(
                tool: "amqp-publish",
                ["-u", site.broker, "-e", "\(site.prefix).charges", "-r", "checkout", "-p", "-b", body])
            try #require(sent.exit == .status(0), "\(sent.errors)")
        }
        // A lane that nobody has.
        _ = try await site.run(
            tool: "amqp-publish",
            ["-u", site.broker, "-e", "\(site.prefix).charges", "-r", "chekout", "-p", "-b", bodies[3]])
        // A debug line for each.
        func ends() async -> Int {
            await worker.program.errors.lines.filter { line in
                ["parked", "rejected"].contains { line.contains("\"outcome\":\"\($0)\"") }
            }.count
        }
        while await ends() < bodies.count { try await Task.sleep(for: .milliseconds(20)) }
        let list = try await site.run(["parked", "list", "--json"])
        #expect(list.exit == .status(0) || list.exit == .status(1), "\(list.errors)")
        let plain = try await site.run(["parked", "list"])
        #expect(!plain.output.isEmpty)
        for id in (1...5).map({ "p-\($0)" }) { _ = try await site.run(["parked", "show", id]) }
        _ = try await site.run(["results", "--take", "--json", "-n", "4"])
        _ = try await site.run(["results", "--take", "-n", "1"])
        await site.finish()
    }

    @Test func `on the command line and in settings`() async throws {
        let site = try await Site.start()
        let secret = await site.keepSecret(Site.mark())
        let card = await site.keepSecret("4242424242424242")
        let folder = try temporaryDirectory("secrets")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(
            """
            {"id":"s-1","token":"tok_1\(secret)","amount":7.5,"currency":"usd"}
            {"id":"s-2","token":"\(card)","amount":700,"currency":"usd"}
            {"id":"s-3","token":"tok_1\(secret)","amount":700,"currency":"usd"
            {"id":"s-4","token":"tok_1\(secret)","amount":700,"currency":"usd","tok_1\(secret)":"\(card)","lane":"\(card)"}

            """, to: folder + "/rows.jsonl")
        try write("id,tok_1\(secret),amount,\(card)\n1,2,3,4\n", to: folder + "/head.csv")
        let runs: [(arguments: [String], settings: [String: String], exit: Int32)] = [
            (["send", folder + "/rows.jsonl"], [:], 1), (["send", folder + "/rows.jsonl", "--json"], [:], 1),
            (["send", folder + "/head.csv"], [:], 1),
            (["worker", "--stripe-secret-key", "sk_test_\(secret)"], [:], 2),
            (["worker", "--stripe-secret-key=sk_test_\(secret)"], [:], 2),
            (["api", "--api-keys=shop:\(secret)"], [:], 2),
            (["worker"], ["STRIPE_API_BASE": "https://sk_test_\(secret):@api.stripe.com"], 2),
            (["worker"], ["STRIPE_SECRET_KEY": "pk_live_\(secret)"], 2),
            (["worker"], ["STRIPE_SECRET_KEY": "\(secret)"], 2),
            (["worker"], ["STRIPE_SECRET_KEY": "sk_test_\(secret) \(secret)"], 2),
            (["worker"], ["STRIPE_SECRET_KEY_FILE": "/nowhere"], 2),
            (["worker"], ["AMQP_URL": "amqp://guest:\(secret)@127.0.0.1:port"], 2),
            (["worker"], ["AMQP_URL": "amqp:/guest:\(secret)@127.0.0.1"], 2),
            (["worker"], ["AMQP_URL": "amqp://guest:\(secret)@127.0.0.1:1/%zz?heartbeat=x"], 2),
            (["worker", "--amqp-url", "amqp://guest:\(secret)@127.0.0.1:5672,\(secret)"], [:], 2),
            (["results", "-n", "1"], ["AMQP_URL": "amqp://guest:\(secret)@127.0.0.1:1"], 3),
            (["api"], ["CHARGELINE_API_KEYS": secret], 2),
            (["api"], ["CHARGELINE_API_KEYS": "shop:\(secret.prefix(15))"], 2),
            (["config"], ["AMQP_URL": "amqp://guest:\(secret)@127.0.0.1:1"], 0),
            (["config", "--json"], ["CHARGELINE_API_KEYS": "shop:\(secret)"], 0),
        ]
        _ = await site.keepSecret(String(secret.prefix(15)))
        for run in runs {
            let ended = try await site.run(run.arguments, run.settings)
            #expect(ended.exit == .status(run.exit), "\(run.arguments.first ?? ""): \(ended.errors)")
            #expect(!ended.errors.isEmpty || !ended.output.isEmpty)
        }
        await site.finish()
    }
}
