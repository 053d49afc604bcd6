extension ChargelineSettings {
    /// The same settings with every secret that stands in a file read again, as on HUP. The other settings stay.
    ///
    /// - Throws: every fault of the new secrets; the caller goes on with the old ones.
    public func rereadingSecrets(
        readFile: @escaping (String) throws -> String = { try SettingsFile.read($0) }
    ) throws(SettingsError) -> ChargelineSettings {
        var files: [String: String] = [:]
        for (name, path) in secretFiles { files[name + "_FILE"] = path }
        var reader = SettingsReader(role: role, environment: files, flags: [:], readFile: readFile)
        var fresh = self
        for name in secretFiles.keys.sorted() {
            switch name {
            case "AMQP_URL": fresh.brokerURLs = reader.value(name, SettingText.brokerURLs) ?? brokerURLs
            case "STRIPE_SECRET_KEY": fresh.stripeKey = reader.value(name, SettingText.stripeKey)
            default: fresh.apiKeys = reader.value(name, SettingText.apiKeys) ?? apiKeys
            }
        }
        reader.checkLiveKey(fresh.stripeKey, base: fresh.stripeBase)
        guard reader.faults.isEmpty else { throw SettingsError(faults: reader.faults) }
        return fresh
    }
}
