import Settings
import Testing

@Suite struct `Settings table` {
    /// The table of docs as it was agreed: a changed name or default breaks what others have deployed.
    @Test func `names and defaults are the agreed ones`() {
        let agreed: [(String, String?)] = [
            ("AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2F"), ("STRIPE_SECRET_KEY", nil),
            ("STRIPE_API_BASE", "https://api.stripe.com"), ("STRIPE_FLOW", "payment_intents"),
            ("CHARGELINE_PREFIX", "chargeline"), ("CHARGELINE_LANES", "checkout,batch"),
            ("CHARGELINE_IN_FLIGHT", "100"),
            ("CHARGELINE_STRIPE_RATE", "25"), ("CHARGELINE_WORKERS", "1"), ("CHARGELINE_STRIPE_TIMEOUT", "30s"),
            ("CHARGELINE_RETRY_DELAYS", "1s,5s,30s,2m,10m,1h"), ("CHARGELINE_RETRY_FOR", "20h"),
            ("CHARGELINE_NOT_AFTER", nil), ("CHARGELINE_SEARCH_FIRST", "aged"), ("CHARGELINE_RESULTS", "queue"),
            ("CHARGELINE_SETTLE", "2s"), ("CHARGELINE_DRAIN", "20s"), ("CHARGELINE_LISTEN", nil),
            ("CHARGELINE_ADMIN_LISTEN", nil), ("CHARGELINE_API_KEYS", nil), ("CHARGELINE_WAIT_MAX", "55s"),
            ("CHARGELINE_LOG", "info"),
        ]
        #expect(SettingsTable.all.map(\.name) == agreed.map(\.0))
        #expect(SettingsTable.all.map(\.standard) == agreed.map(\.1))
        let listen = SettingsTable.named("CHARGELINE_LISTEN")
        #expect(listen?.standard(for: .api) == "127.0.0.1:8080")
        #expect(listen?.standard(for: .sandbox) == "127.0.0.1:12110")
        #expect(listen?.standard(for: .worker) == nil)
        let admin = SettingsTable.named("CHARGELINE_ADMIN_LISTEN")
        #expect(admin?.standard(for: .api) == "127.0.0.1:9463")
        #expect(admin?.standard(for: .worker) == "127.0.0.1:9464")
    }

    @Test func `flags follow from names`() {
        #expect(SettingsTable.named("CHARGELINE_IN_FLIGHT")?.flag == "in-flight")
        #expect(SettingsTable.named("AMQP_URL")?.flag == "amqp-url")
        #expect(SettingsTable.named("STRIPE_API_BASE")?.flag == "stripe-api-base")
        #expect(SettingsTable.named("STRIPE_SECRET_KEY")?.flag == nil)
        #expect(SettingsTable.named("CHARGELINE_API_KEYS")?.flag == nil)
        let flags = SettingsTable.all.compactMap(\.flag)
        #expect(Set(flags).count == flags.count)
    }

    /// What is offered as right must be right, and every row must be read.
    @Test(arguments: SettingsTable.all.map(\.name))
    func `each example is taken`(name: String) throws {
        let setting = try #require(SettingsTable.named(name))
        #expect(!setting.meaning.isEmpty && !setting.example.isEmpty && !setting.roles.isEmpty)
        // The dots of an elided key are not a key.
        let example = setting.example.replacing("…", with: "51abcdefgh")
        let (settings, warnings) = try ChargelineSettings.load(environment: [name: example])
        let effective = try #require(settings.effective.first { $0.name == name })
        #expect(effective.source == .environment)
        #expect(warnings.isEmpty)
    }

    @Test(arguments: SettingsTable.all.map(\.name))
    func `each setting refuses nonsense`(name: String) throws {
        let error = #expect(throws: SettingsError.self) {
            _ = try ChargelineSettings.load(environment: [name: "\u{1B}[31m nonsense,,"])
        }
        let fault = try #require(error?.faults.first)
        #expect(fault.name == name)
        #expect(!fault.description.utf8.contains(0x1B))
        #expect(fault.description.contains("for example \(name)="))
    }
}
