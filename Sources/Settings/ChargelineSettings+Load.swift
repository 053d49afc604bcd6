extension ChargelineSettings {
    /// Reads every setting for a role.
    ///
    /// - Parameters:
    ///   - environment: all of it, so that an unknown `CHARGELINE_` name can be told.
    ///   - flags: by their names without dashes, as `SettingFlags.take(from:)` finds them.
    ///   - readFile: reads what a `NAME_FILE` names.
    /// - Returns: the settings, and lines to warn with.
    /// - Throws: every fault at once.
    public static func load(
        role: Role = .tool, environment: [String: String], flags: [String: String] = [:],
        readFile: @escaping (String) throws -> String = { try SettingsFile.read($0) }
    ) throws(SettingsError) -> (settings: ChargelineSettings, warnings: [String]) {
        let report = examine(role: role, environment: environment, flags: flags, readFile: readFile)
        guard let settings = report.settings else { throw SettingsError(faults: report.faults) }
        return (settings, report.warnings)
    }

    /// The same, with the settings told as far as they could be read: `config` shows them beside the faults.
    public static func examine(
        role: Role = .tool, environment: [String: String], flags: [String: String] = [:],
        readFile: @escaping (String) throws -> String = { try SettingsFile.read($0) }
    ) -> SettingsReport {
        var reader = SettingsReader(role: role, environment: environment, flags: flags, readFile: readFile)
        let settings = read(&reader)
        return SettingsReport(
            settings: reader.faults.isEmpty ? settings : nil, faults: reader.faults, warnings: reader.warnings(),
            effective: reader.effective)
    }

    private static func read(_ reader: inout SettingsReader) -> ChargelineSettings? {
        let text = SettingText.self
        let broker = reader.value("AMQP_URL", text.brokerURLs)
        let key = reader.value("STRIPE_SECRET_KEY", text.stripeKey)
        let base = reader.value("STRIPE_API_BASE", text.url)
        let flow: StripeFlow? = reader.choice("STRIPE_FLOW")
        let prefix = reader.value("CHARGELINE_PREFIX", text.prefix)
        let lanes = reader.value("CHARGELINE_LANES", text.lanes)
        let inFlight = reader.count("CHARGELINE_IN_FLIGHT", 1...50_000)
        let rate = reader.value("CHARGELINE_STRIPE_RATE", text.rate)
        let workers = reader.count("CHARGELINE_WORKERS", 1...10_000)
        let timeout = reader.span("CHARGELINE_STRIPE_TIMEOUT", from: TimeSpan(milliseconds: 100), to: .minutes(10))
        let delays = reader.value("CHARGELINE_RETRY_DELAYS", text.delays)
        let retryFor = reader.span("CHARGELINE_RETRY_FOR", from: .seconds(1), to: longestRetry)
        let notAfter = reader.value("CHARGELINE_NOT_AFTER") { text throws(ValueProblem) in
            try SettingText.notAfter(text, lanes: lanes)
        }
        let searchFirst: SearchFirst? = reader.choice("CHARGELINE_SEARCH_FIRST")
        let results: ResultsKeeping? = reader.choice("CHARGELINE_RESULTS")
        let settle = reader.span("CHARGELINE_SETTLE", from: .seconds(0), to: .minutes(1))
        let drain = reader.span("CHARGELINE_DRAIN", from: .seconds(0), to: .hours(1))
        let listen = reader.value("CHARGELINE_LISTEN", text.address)
        let adminListen = reader.value("CHARGELINE_ADMIN_LISTEN", text.address)
        let apiKeys = reader.value("CHARGELINE_API_KEYS", text.apiKeys)
        let waitMax = reader.span("CHARGELINE_WAIT_MAX", from: .seconds(1), to: .minutes(10))
        let log: LogVerbosity? = reader.choice("CHARGELINE_LOG")
        reader.checkTogether(key: key, base: base, listen: listen, hasKeys: apiKeys?.isEmpty == false)
        guard let broker, let base, let flow, let prefix, let lanes, let inFlight, let rate, let workers, let timeout,
            let delays, let retryFor, let searchFirst, let results, let settle, let drain, let waitMax, let log
        else { return nil }
        return ChargelineSettings(
            role: reader.role, brokerURLs: broker, stripeKey: key, stripeBase: base, stripeFlow: flow, prefix: prefix,
            lanes: lanes, inFlight: inFlight, stripeRate: rate, workers: workers, stripeTimeout: timeout,
            retryDelays: delays, retryFor: retryFor, notAfter: notAfter ?? [:], searchFirst: searchFirst,
            results: results, settle: settle, drain: drain, listen: listen, adminListen: adminListen,
            apiKeys: apiKeys ?? [], waitMax: waitMax, log: log, effective: reader.effective,
            secretFiles: reader.secretFiles)
    }

    /// The last millisecond under 23 hours: after that Stripe's own key would be too close to its end.
    private static let longestRetry = TimeSpan(milliseconds: 23 * 3_600_000 - 1)
}
