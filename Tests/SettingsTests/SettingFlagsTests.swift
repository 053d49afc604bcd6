import Settings
import Testing

@Suite struct `Setting flags` {
    @Test func `are taken out of a command line`() {
        let flags = SettingFlags([
            "worker", "--in-flight", "200", "--amqp-url=amqp://a?x=1", "--verbose", "-v", "--stripe-rate=",
            "--in-flight=5",
            "file.csv", "--", "--in-flight", "7",
        ])
        #expect(flags.values == ["in-flight": "5", "amqp-url": "amqp://a?x=1", "stripe-rate": ""])
        #expect(flags.rest == ["worker", "--verbose", "-v", "file.csv", "--", "--in-flight", "7"])
        #expect(flags.faults.isEmpty)
    }

    @Test func `a missing value is a fault`() {
        let flags = SettingFlags(["--lanes", "--in-flight"])
        #expect(flags.faults.map(\.name) == ["--lanes", "--in-flight"])
        #expect(flags.faults.first?.description == "--lanes needs a value; for example --lanes checkout,batch")
    }

    @Test(arguments: [
        ["--stripe-secret-key", "sk_test_51abc"], ["--stripe-secret-key=sk_test_51abc"], ["--api-keys", "shop:51abc"],
        ["--chargeline-api-keys=shop:51abc"],
    ])
    func `a secret has no flag, and is not repeated`(arguments: [String]) throws {
        let flags = SettingFlags(arguments)
        let fault = try #require(flags.faults.first)
        #expect(fault.description.contains("_FILE=") && fault.problem.contains("process list"))
        #expect(flags.values.isEmpty && flags.rest.isEmpty)
        #expect(!"\(flags)".contains("51abc"))
    }

    @Test func `values from flags are checked like all others`() {
        let report = ChargelineSettings.examine(environment: [:], flags: ["in-flight": "", "listen": "x"])
        #expect(report.faults.map(\.name) == ["CHARGELINE_IN_FLIGHT", "CHARGELINE_LISTEN"])
        #expect(report.settings == nil)
        #expect(report.effective.count == SettingsTable.all.count)
    }
}
