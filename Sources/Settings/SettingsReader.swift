/// Finds each setting's text, has it read, and gathers what is wrong instead of stopping at the first fault.
struct SettingsReader {
    let role: Role
    private let environment: [String: String]
    private let flags: [String: String]
    private let readFile: (String) throws -> String
    private(set) var faults: [SettingFault] = []
    private(set) var effective: [EffectiveSetting] = []
    private(set) var secretFiles: [String: String] = [:]

    init(
        role: Role, environment: [String: String], flags: [String: String],
        readFile: @escaping (String) throws -> String
    ) {
        self.role = role
        self.environment = environment
        self.flags = flags
        self.readFile = readFile
    }

    /// The setting's value, or nil if it has none or is wrong.
    mutating func value<Value>(
        _ name: String, _ read: (String) throws(ValueProblem) -> Value
    ) -> Value? {
        guard let setting = SettingsTable.named(name) else { return nil }
        let (text, source) = isRead(setting) ? text(of: setting) : standardText(of: setting)
        effective.append(
            EffectiveSetting(name: name, shown: text.map(setting.shown), source: source, meaning: setting.meaning))
        guard let text else { return nil }
        do {
            return try read(text)
        } catch {
            complain(setting, error.text)
            return nil
        }
    }

    /// Processes share one file of settings: what is wrong with another role's does not end this one. Tools look at
    /// all.
    private func isRead(_ setting: Setting) -> Bool { role == .tool || setting.roles.contains(role) }

    /// A fault that only shows when several settings are seen together.
    mutating func complain(_ name: String, _ problem: String) {
        if let setting = SettingsTable.named(name) { complain(setting, problem) }
    }

    private mutating func complain(_ setting: Setting, _ problem: String) {
        faults.append(
            SettingFault(name: setting.name, problem: problem, example: "\(setting.name)=\(setting.example)"))
    }

    /// Flag over environment over file over default. An empty text in the environment counts as none: that is how a
    /// compose file passes on what is not set.
    private mutating func text(of setting: Setting) -> (String?, EffectiveSetting.Source) {
        if let flag = setting.flag, let text = flags[flag] { return (text, .flag) }
        let path = setting.fileName.flatMap { environment[$0] } ?? ""
        if let text = environment[setting.name].map(SettingText.trimmed), !text.isEmpty {
            if !path.isEmpty { complain(setting, "is set twice: also as \(setting.name)_FILE") }
            return (text, .environment)
        }
        if !path.isEmpty {
            secretFiles[setting.name] = path
            return (fileText(setting, path), .file)
        }
        return standardText(of: setting)
    }

    private func standardText(of setting: Setting) -> (String?, EffectiveSetting.Source) {
        let standard = setting.standard(for: role)
        return (standard, standard == nil ? .unset : .standard)
    }

    private mutating func fileText(_ setting: Setting, _ path: String) -> String? {
        do {
            let text = SettingText.trimmed(try readFile(path))
            if text.isEmpty { complain(setting, "has an empty file, \(SettingText.quoted(path))") }
            return text.isEmpty ? nil : text
        } catch {
            complain(setting, "cannot be read from \(SettingText.quoted(path)): \(error)")
            return nil
        }
    }

    /// A line for each `CHARGELINE_` name that nothing reads.
    func warnings() -> [String] {
        environment.keys.sorted().compactMap { name in
            guard name.hasPrefix(Setting.prefix), SettingsTable.named(name) == nil,
                !SettingsTable.all.contains(where: { $0.fileName == name })
            else { return nil }
            let hint = SettingsTable.nearest(to: name).map { "; did you mean \($0)?" } ?? ""
            return "\(name) is not a setting of chargeline\(hint)"
        }
    }
}

extension SettingsReader {
    mutating func span(_ name: String, from shortest: TimeSpan, to longest: TimeSpan) -> TimeSpan? {
        value(name) { text throws(ValueProblem) in try SettingText.timeSpan(text, from: shortest, to: longest) }
    }

    mutating func count(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        value(name) { text throws(ValueProblem) in try SettingText.count(text, range) }
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice?
    where Choice.RawValue == String {
        value(name) { text throws(ValueProblem) in try SettingText.choice(text, Choice.self) }
    }

    /// A live key must not be shown to whatever listens on this machine.
    mutating func checkLiveKey(_ key: Secret?, base: ServiceURL?) {
        if let key, let base, base.isLoopback, ChargelineSettings.isLive(key) {
            complain("STRIPE_SECRET_KEY", "is a live key, and STRIPE_API_BASE is this machine")
        }
    }

    /// The rules that bind several settings.
    mutating func checkTogether(key: Secret?, base: ServiceURL?, listen: HostPort?, hasKeys: Bool) {
        checkLiveKey(key, base: base)
        let isUnset = effective.contains { $0.name == "STRIPE_SECRET_KEY" && $0.source == .unset }
        if role == .worker, isUnset {
            complain("STRIPE_SECRET_KEY", "is not set (nor STRIPE_SECRET_KEY_FILE); a worker cannot charge without it")
        }
        let keysUnset = effective.contains { $0.name == "CHARGELINE_API_KEYS" && $0.source == .unset }
        if role == .api, let listen, !listen.isLoopback, !hasKeys, keysUnset {
            complain("CHARGELINE_API_KEYS", "is not set, and CHARGELINE_LISTEN=\(listen) is open to others")
        }
    }
}
