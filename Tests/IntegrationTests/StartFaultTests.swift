import Foundation
import TestSupport
import Testing

/// What only a person can mend is told at once, and ends the process with 2.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct StartFaultTests {
    /// Wrong settings of a role, and the names of those that are at fault.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let role: String
        let settings: [String: String]
        let faults: [String]
        var testDescription: String { "\(role): \(faults.joined(separator: ", "))" }
    }

    private static let wrong = [
        Wrong(
            role: "worker",
            settings: [
                "AMQP_URL": "http://127.0.0.1", "STRIPE_SECRET_KEY": "pk_test_publishable", "STRIPE_FLOW": "intents",
                "CHARGELINE_LANES": "checkout,Checkout", "CHARGELINE_IN_FLIGHT": "0",
                "CHARGELINE_RETRY_DELAYS": "5s,1s",
                "CHARGELINE_DRAIN": "soon", "CHARGELINE_ADMIN_LISTEN": "9464",
            ],
            faults: [
                "AMQP_URL", "STRIPE_SECRET_KEY", "STRIPE_FLOW", "CHARGELINE_LANES", "CHARGELINE_IN_FLIGHT",
                "CHARGELINE_RETRY_DELAYS", "CHARGELINE_DRAIN", "CHARGELINE_ADMIN_LISTEN",
            ]),
        Wrong(
            role: "api",
            settings: [
                "CHARGELINE_LISTEN": "0.0.0.0:0", "CHARGELINE_WAIT_MAX": "0s", "CHARGELINE_PREFIX": "a.b",
                "CHARGELINE_LOG": "loud",
            ],
            faults: ["CHARGELINE_PREFIX", "CHARGELINE_WAIT_MAX", "CHARGELINE_LOG", "CHARGELINE_API_KEYS"]),
        Wrong(role: "worker", settings: ["STRIPE_SECRET_KEY": ""], faults: ["STRIPE_SECRET_KEY"]),
        Wrong(role: "worker", settings: ["CHARGELINE_RETRY_FOR": "24h"], faults: ["CHARGELINE_RETRY_FOR"]),
        Wrong(role: "worker", settings: ["STRIPE_SECRET_KEY": "sk_live_1234567890"], faults: ["STRIPE_SECRET_KEY"]),
        Wrong(role: "worker", settings: ["STRIPE_API_BASE": "http://stripe.example"], faults: ["STRIPE_API_BASE"]),
        Wrong(
            role: "worker", settings: ["STRIPE_SECRET_KEY": "", "STRIPE_SECRET_KEY_FILE": "/nowhere/key"],
            faults: ["STRIPE_SECRET_KEY"]),
    ]

    @Test(arguments: wrong)
    func `every wrong setting is told at once, with an example`(_ given: Wrong) async throws {
        let site = Site("amqp://guest:guest@127.0.0.1:1/%2F", given.settings)
        let ended = try await site.run([given.role])
        #expect(ended.exit == .status(2))
        #expect(ended.output.isEmpty)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count == given.faults.count, "\(ended.errors)")
        for (line, name) in zip(lines, given.faults) {
            #expect(line.hasPrefix("chargeline: \(name) "), "\(line)")
            #expect(line.contains("for example \(name)="), "\(line)")
        }
        await site.finish()
    }

    @Test func `an unknown setting is warned of`() async throws {
        let site = Site("amqp://guest:guest@127.0.0.1:1/%2F", ["CHARGELINE_INFLIGHT": "7", "CHARGELINE_LOG": "loud"])
        let errors = try await site.run(["worker"]).errors
        #expect(errors.contains("CHARGELINE_LOG"))
        let fine = try await Site.start(["CHARGELINE_INFLIGHT": "7"])
        let worker = try await fine.worker()
        let said = await worker.program.errors.text
        #expect(said.contains("CHARGELINE_INFLIGHT") && said.contains("CHARGELINE_IN_FLIGHT"), "\(said)")
        await fine.finish()
        await site.finish()
    }

    // MARK: What the broker says

    /// The one line that is not a log's, at the end.
    private func complaint(_ errors: String) throws -> String {
        let plain = errors.split(separator: "\n").filter { !$0.hasPrefix("{") }
        try #require(plain.count == 1, "\(errors)")
        try #require(plain.first == errors.split(separator: "\n").last)
        return plain.map(String.init)[0]
    }

    @Test(arguments: ["worker", "api"])
    func `a wrong password`(_ role: String) async throws {
        let good = try await PrivateBroker.shared()
        let site = Site(good.url, [:])
        let password = await site.keepSecret(Site.mark())
        let url = "amqp://guest:\(password)@127.0.0.1:\(good.port)/%2F"
        let ended = try await site.run([role], ["AMQP_URL": url])
        #expect(ended.exit == .status(2))
        let line = try complaint(ended.errors)
        #expect(line.contains("guest") && line.contains("AMQP_URL") && line.contains("\(good.port)"), "\(line)")
        await site.finish()
    }

    @Test(arguments: ["worker", "api"])
    func `a virtual host that is not there`(_ role: String) async throws {
        let good = try await PrivateBroker.shared()
        let site = Site(good.url, [:])
        let ended = try await site.run([role], ["AMQP_URL": "amqp://guest:guest@127.0.0.1:\(good.port)/nowhere"])
        #expect(ended.exit == .status(2))
        #expect(try complaint(ended.errors).contains("nowhere"))
        await site.finish()
    }

    /// A user that may read and write, and not declare.
    @Test func `a right that the user lacks`() async throws {
        let broker = try await PrivateBroker.shared()
        // Users can only be made on a node of the tests' own.
        guard broker.directory != nil else { return }
        let site = Site(broker.url, [:])
        let (user, password) = (site.prefix, await site.keepSecret(Site.mark()))
        try await broker.ctl(["add_user", user, password])
        try await broker.ctl(["set_permissions", user, "^$", ".*", ".*"])
        for role in ["worker", "api"] {
            let url = "amqp://\(user):\(password)@127.0.0.1:\(broker.port)/%2F"
            let ended = try await site.run([role], ["AMQP_URL": url])
            #expect(ended.exit == .status(2))
            let line = try complaint(ended.errors)
            #expect(line.contains("exchange '\(site.prefix).") && line.contains(user), "\(line)")
            #expect(line.contains("rabbitmqctl set_permissions"), "\(line)")
        }
        await site.finish()
    }

    @Test(arguments: ["worker", "api"])
    func `a queue with other arguments`(_ role: String) async throws {
        let site = Site(try await PrivateBroker.shared().url, [:])
        let queue = "\(site.prefix).charges.checkout"
        let made = try await site.run(tool: "amqp-declare-queue", ["-u", site.broker, "-d", "-q", queue])
        try #require(made.exit == .status(0), "\(made.errors)")
        let ended = try await site.run([role])
        #expect(ended.exit == .status(2))
        let line = try complaint(ended.errors)
        #expect(line.contains(queue) && line.contains("have none, want"), "\(line)")
        await site.finish()
    }

    // MARK: What the machine says

    @Test(arguments: [
        ("api", "CHARGELINE_LISTEN"), ("api", "CHARGELINE_ADMIN_LISTEN"), ("worker", "CHARGELINE_ADMIN_LISTEN"),
        ("sandbox", "CHARGELINE_LISTEN"),
    ])
    func `a port that is taken`(_ role: String, _ setting: String) async throws {
        let taken = ListeningSocket()
        defer { taken.close() }
        let site = Site("amqp://guest:guest@127.0.0.1:1/%2F", [:])
        let ended = try await site.run([role], [setting: "127.0.0.1:\(taken.port)"])
        #expect(ended.exit == .status(2))
        let line = try #require(ended.errors.split(separator: "\n").last)
        #expect(line.contains("127.0.0.1:\(taken.port)"), "\(ended.errors)")
        #expect(line.contains(setting), "\(ended.errors)")
        await site.finish()
    }
}
