import Settings
import Testing

@Suite struct `Chargeline settings` {
    private let key = "sk_test_51abcdefgh"

    private func faults(
        _ environment: [String: String], role: Role = .tool, flags: [String: String] = [:],
        readFile: @escaping (String) throws -> String = { _ in "" }
    ) -> [String: String] {
        let report = ChargelineSettings.examine(
            role: role, environment: environment, flags: flags, readFile: readFile)
        return Dictionary(report.faults.map { ($0.name, $0.problem) }, uniquingKeysWith: { $0 + "; " + $1 })
    }

    @Test func `nothing set gives the defaults`() throws {
        let (settings, warnings) = try ChargelineSettings.load(role: .api, environment: ["PATH": "/bin"])
        #expect(warnings.isEmpty)
        #expect(settings.brokerURLs.reveal() == "amqp://guest:guest@127.0.0.1:5672/%2F")
        #expect(settings.stripeKey == nil && !settings.isLive)
        #expect(settings.stripeBase.description == "https://api.stripe.com")
        #expect(settings.stripeFlow == .paymentIntents)
        #expect(settings.prefix == "chargeline" && settings.lanes == ["checkout", "batch"])
        #expect(settings.defaultLane == "checkout" && settings.inFlight == 100)
        #expect(settings.stripeRate == 25 && settings.workers == 1 && settings.stripeTimeout == .seconds(30))
        #expect(settings.retryDelays.map(\.milliseconds) == [1000, 5000, 30_000, 120_000, 600_000, 3_600_000])
        #expect(settings.retryFor == .hours(20) && settings.notAfter.isEmpty && settings.searchFirst == .aged)
        #expect(settings.results == .queue && settings.settle == .seconds(2) && settings.drain == .seconds(20))
        #expect(settings.listen?.description == "127.0.0.1:8080")
        #expect(settings.adminListen?.description == "127.0.0.1:9463")
        #expect(settings.apiKeys.isEmpty && settings.waitMax == .seconds(55) && settings.log == .info)
        #expect(settings.effective.map(\.name) == SettingsTable.all.map(\.name))
    }

    @Test func `flag over environment over file over default`() throws {
        let (settings, _) = try ChargelineSettings.load(
            role: .worker,
            environment: [
                "CHARGELINE_IN_FLIGHT": "7", "CHARGELINE_PREFIX": "mine", "STRIPE_SECRET_KEY_FILE": "/run/key",
                "CHARGELINE_LANES": "", "CHARGELINE_STRIPE_RATE": "50", "CHARGELINE_WORKERS": "4",
            ],
            flags: ["in-flight": "200"], readFile: { $0 == "/run/key" ? "  \(key)\n" : "" })
        #expect(settings.inFlight == 200)
        #expect(settings.prefix == "mine")
        #expect(settings.stripeKey?.reveal() == key)
        #expect(settings.lanes == ["checkout", "batch"], "an empty variable counts as none")
        #expect(settings.stripeRateShare == 12.5)
        let sources = Dictionary(uniqueKeysWithValues: settings.effective.map { ($0.name, $0) })
        #expect(sources["CHARGELINE_IN_FLIGHT"]?.source == .flag)
        #expect(sources["CHARGELINE_IN_FLIGHT"]?.shown == "200")
        #expect(sources["CHARGELINE_PREFIX"]?.source == .environment)
        #expect(sources["STRIPE_SECRET_KEY"]?.source == .file)
        #expect(sources["STRIPE_SECRET_KEY"]?.shown == "sk_test_***")
        #expect(sources["AMQP_URL"]?.source == .standard)
        #expect(sources["AMQP_URL"]?.shown == "amqp://guest:***@127.0.0.1:5672/%2F")
        #expect(sources["CHARGELINE_NOT_AFTER"]?.source == .unset)
        #expect(!"\(settings)".contains("51abc") && !"\(settings)".contains("guest:guest"))
    }

    @Test func `a role does not look at what only others read`() throws {
        let environment = [
            "AMQP_URL": "http://x", "STRIPE_SECRET_KEY": "pk_test_1234", "CHARGELINE_IN_FLIGHT": "many",
            "CHARGELINE_WAIT_MAX": "0s", "CHARGELINE_DRAIN": "3s",
        ]
        let (sandbox, _) = try ChargelineSettings.load(role: .sandbox, environment: environment)
        #expect(sandbox.drain == .seconds(3) && sandbox.inFlight == 100 && sandbox.stripeKey == nil)
        #expect(
            faults(environment, role: .worker).keys.sorted() == [
                "AMQP_URL", "CHARGELINE_IN_FLIGHT", "STRIPE_SECRET_KEY",
            ])
        #expect(faults(environment, role: .api)["CHARGELINE_WAIT_MAX"] != nil)
        #expect(faults(environment).count == 4, "a tool looks at all: config shows them")
    }

    @Test func `every fault is told at once`() {
        let found = faults([
            "CHARGELINE_IN_FLIGHT": "many", "CHARGELINE_LANES": "checkout,Batch", "CHARGELINE_RETRY_DELAYS": "5s,1s",
            "STRIPE_FLOW": "payment_intent", "CHARGELINE_RETRY_FOR": "23h", "CHARGELINE_NOT_AFTER": "checkout",
        ])
        #expect(found.count == 6)
        #expect(found["STRIPE_FLOW"]?.contains("did you mean payment_intents?") == true)
    }

    @Test(arguments: [
        ("CHARGELINE_IN_FLIGHT", "0"), ("CHARGELINE_IN_FLIGHT", "-1"), ("CHARGELINE_IN_FLIGHT", "1.5"),
        ("CHARGELINE_IN_FLIGHT", "50001"), ("CHARGELINE_STRIPE_RATE", "-1"), ("CHARGELINE_STRIPE_RATE", "nan"),
        ("CHARGELINE_STRIPE_RATE", "1e3"), ("CHARGELINE_STRIPE_RATE", "."), ("CHARGELINE_WORKERS", "0"),
        ("CHARGELINE_STRIPE_TIMEOUT", "30"), ("CHARGELINE_STRIPE_TIMEOUT", "0s"), ("CHARGELINE_RETRY_FOR", "23h"),
        ("CHARGELINE_RETRY_FOR", "0s"), ("CHARGELINE_RETRY_DELAYS", "1s,1s"), ("CHARGELINE_RETRY_DELAYS", "1s,,2s"),
        ("CHARGELINE_RETRY_DELAYS", "0s"), ("CHARGELINE_RETRY_DELAYS", "1s,24h"), ("CHARGELINE_LANES", "a,b,a"),
        ("CHARGELINE_LANES", "a.b"), ("CHARGELINE_LANES", "a_b"), ("CHARGELINE_LANES", "a,"),
        ("CHARGELINE_PREFIX", "a.b"),
        ("CHARGELINE_LANES", "abcdefghijklmnopqrstuvwxyz0123456"), ("CHARGELINE_PREFIX", "a b"),
        ("CHARGELINE_LOG", "INFO"),
        ("CHARGELINE_NOT_AFTER", "checkout=2h,checkout=3h"), ("CHARGELINE_NOT_AFTER", "other=2h"),
        ("CHARGELINE_NOT_AFTER", "checkout=0s"), ("CHARGELINE_SEARCH_FIRST", "always"), ("CHARGELINE_RESULTS", "topic"),
        ("STRIPE_API_BASE", "http://api.stripe.com"), ("STRIPE_API_BASE", "http://10.0.0.1:12110"),
        ("STRIPE_SECRET_KEY", "pk_test_51abcdefgh"), ("STRIPE_SECRET_KEY", "sk_test_51abc defgh"),
        ("STRIPE_SECRET_KEY", "sk_"), ("STRIPE_SECRET_KEY", "51abcdefgh"), ("AMQP_URL", "http://127.0.0.1"),
        ("AMQP_URL", "amqp://a,b"), ("CHARGELINE_API_KEYS", "0123456789abcdef"), ("CHARGELINE_API_KEYS", "shop:short"),
        ("CHARGELINE_API_KEYS", "shop:0123456789abcdef,shop:fedcba9876543210"), ("CHARGELINE_LISTEN", "localhost:80"),
        ("CHARGELINE_API_KEYS", "sh op:0123456789abcdef"), ("CHARGELINE_API_KEYS", ":0123456789abcdef"),
        ("CHARGELINE_WAIT_MAX", "1h"), ("CHARGELINE_SETTLE", "2"), ("CHARGELINE_DRAIN", "forever"),
    ])
    func `refuses`(name: String, value: String) throws {
        let found = faults([name: value])
        #expect(Array(found.keys) == [name])
        if ["STRIPE_SECRET_KEY", "CHARGELINE_API_KEYS", "AMQP_URL"].contains(name) {
            #expect(found.values.allSatisfy { !$0.contains("51abc") && !$0.contains("0123456789abcdef") })
        }
    }

    @Test func `takes the forms that the page promises`() throws {
        let (settings, _) = try ChargelineSettings.load(
            environment: [
                "AMQP_URL": "amqps://u:p@a:5671/v, amqp://b", "STRIPE_API_BASE": "http://127.0.0.1:12110/",
                "STRIPE_SECRET_KEY": "rk_test_51abcdefgh", "CHARGELINE_LANES": "a, b-2",
                "CHARGELINE_NOT_AFTER": "a=2h, b-2=30m", "CHARGELINE_STRIPE_RATE": "0", "CHARGELINE_SETTLE": "0s",
                "CHARGELINE_API_KEYS": "shop:0123456789abcdef, app.2:fedcba98:76543210",
                "CHARGELINE_LISTEN": "0.0.0.0:80",
                "STRIPE_FLOW": "charges", "CHARGELINE_SEARCH_FIRST": "reusable", "CHARGELINE_RESULTS": "none",
                "CHARGELINE_RETRY_FOR": "22h",
            ])
        #expect(settings.lanes == ["a", "b-2"])
        #expect(settings.notAfter == ["a": .hours(2), "b-2": .minutes(30)])
        #expect(settings.apiKeys.map(\.id) == ["shop", "app.2"])
        #expect(settings.apiKeys.last?.key.reveal() == "fedcba98:76543210")
        #expect(settings.stripeBase.description == "http://127.0.0.1:12110")
        #expect(settings.stripeFlow == .charges && settings.searchFirst == .reusable && settings.results == .none)
    }

    @Test func `rules across settings`() {
        let live = "sk_live_51abcdefgh"
        #expect(faults(["STRIPE_SECRET_KEY": live]).isEmpty)
        for base in ["http://127.0.0.1:12110", "https://localhost", "http://[::1]:80"] {
            let found = faults(["STRIPE_SECRET_KEY": live, "STRIPE_API_BASE": base])
            #expect(found["STRIPE_SECRET_KEY"]?.contains("live") == true)
            #expect(faults(["STRIPE_SECRET_KEY": key, "STRIPE_API_BASE": base]).isEmpty)
        }
        #expect(faults([:], role: .worker)["STRIPE_SECRET_KEY"] != nil)
        #expect(faults(["STRIPE_SECRET_KEY": key], role: .worker).isEmpty)
        #expect(faults([:], role: .sandbox).isEmpty)
        #expect(faults(["CHARGELINE_LISTEN": "0.0.0.0:8080"], role: .api)["CHARGELINE_API_KEYS"] != nil)
        #expect(faults(["CHARGELINE_LISTEN": "127.0.0.1:8080"], role: .api).isEmpty)
        let keys = ["CHARGELINE_LISTEN": "0.0.0.0:8080", "CHARGELINE_API_KEYS": "shop:0123456789abcdef"]
        #expect(faults(keys, role: .api).isEmpty)
    }

    @Test func `files of secrets`() throws {
        struct Missing: Error, CustomStringConvertible { let description = "No such file or directory" }
        let both = ["STRIPE_SECRET_KEY": key, "STRIPE_SECRET_KEY_FILE": "/run/key"]
        #expect(faults(both)["STRIPE_SECRET_KEY"]?.contains("twice") == true)
        let file = ["STRIPE_SECRET_KEY_FILE": "/run/key"]
        #expect(faults(file, readFile: { _ in throw Missing() })["STRIPE_SECRET_KEY"]?.contains("No such file") == true)
        #expect(faults(file, readFile: { _ in " \n" })["STRIPE_SECRET_KEY"]?.contains("empty") == true)
        #expect(faults(file, role: .worker, readFile: { _ in throw Missing() }).count == 1)

        let paths = ["STRIPE_SECRET_KEY_FILE": "/run/key", "CHARGELINE_API_KEYS_FILE": "/run/keys"]
        let (settings, warnings) = try ChargelineSettings.load(environment: paths) {
            $0 == "/run/key" ? "sk_test_first000" : "shop:0123456789abcdef"
        }
        #expect(warnings.isEmpty)
        let fresh = try settings.rereadingSecrets { $0 == "/run/key" ? "sk_test_second00" : "app:0123456789abcdef\n" }
        #expect(fresh.stripeKey?.reveal() == "sk_test_second00" && fresh.apiKeys.map(\.id) == ["app"])
        let error = #expect(throws: SettingsError.self) {
            _ = try settings.rereadingSecrets { $0 == "/run/key" ? "pk_test_oops0000" : "app" }
        }
        #expect(error?.faults.map(\.name) == ["CHARGELINE_API_KEYS", "STRIPE_SECRET_KEY"])
    }

    @Test func `a file is read from the disk`() throws {
        #expect(throws: SettingsFile.Problem.self) { try SettingsFile.read("/nonexistent/key") }
        #expect(throws: SettingsFile.Problem.self) { try SettingsFile.read("/") }
        #expect(throws: SettingsFile.Problem.self) { try SettingsFile.read("/dev/zero") }
        #expect(try SettingsFile.read("/dev/null").isEmpty)
        #expect(try SettingsFile.read("/proc/sys/kernel/ostype") == "Linux\n")
        #expect(ProcessEnvironment.all()["PATH"]?.isEmpty == false)
    }

    @Test func `an unknown name is a warning`() throws {
        let (_, warnings) = try ChargelineSettings.load(environment: [
            "CHARGELINE_INFLIGHT": "5", "CHARGELINE_QQQQQQQQQQQ": "1", "STRIPE_UNKNOWN": "1",
            "CHARGELINE_LANES_FILE": "x",
        ])
        #expect(
            warnings == [
                "CHARGELINE_INFLIGHT is not a setting of chargeline; did you mean CHARGELINE_IN_FLIGHT?",
                "CHARGELINE_LANES_FILE is not a setting of chargeline; did you mean CHARGELINE_LANES?",
                "CHARGELINE_QQQQQQQQQQQ is not a setting of chargeline",
            ])
    }
}
