/// One row of the table of settings.
public struct Setting: Sendable {
    /// How far a value may be shown.
    public enum Secrecy: Sendable {
        /// Freely.
        case open
        /// With the password in its URL masked; it may be a flag all the same.
        case holdsPassword
        /// Never, and it has no flag, because a process list shows flags.
        case secret
    }

    /// Its name in the environment.
    public let name: String
    /// The default as text, nil for none; `config` prints it and the reader reads it.
    public let standard: String?
    /// Defaults that only some roles have.
    public let roleStandards: [Role: String]
    /// What it is for: a phrase for `--help`, `config` and the comments in `config/*.env`.
    public let meaning: String
    /// A right value.
    public let example: String
    /// How far its value may be shown.
    public let secrecy: Secrecy
    /// The roles that read it.
    public let roles: [Role]

    init(
        _ name: String, _ standard: String?, _ meaning: String, example: String? = nil, secrecy: Secrecy = .open,
        roles: [Role] = Role.allCases, roleStandards: [Role: String] = [:]
    ) {
        self.name = name
        self.standard = standard
        self.meaning = meaning
        self.example = example ?? standard ?? ""
        self.secrecy = secrecy
        self.roles = roles
        self.roleStandards = roleStandards
    }

    /// The flag without its dashes, `in-flight` for `CHARGELINE_IN_FLIGHT`; nil for a secret.
    public var flag: String? {
        guard secrecy != .secret else { return nil }
        let short = name.hasPrefix(Setting.prefix) ? String(name.dropFirst(Setting.prefix.count)) : name
        return String(short.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    /// The name by which the value may stand in a file: `STRIPE_SECRET_KEY_FILE`; nil where nothing is secret.
    public var fileName: String? { secrecy == .open ? nil : name + "_FILE" }

    /// The default for a role.
    public func standard(for role: Role) -> String? { roleStandards[role] ?? standard }

    /// A value as it may be shown.
    public func shown(_ value: String) -> String {
        switch secrecy {
        case .open: value
        case .holdsPassword: SettingMask.url(value)
        case .secret: SettingMask.key(value)
        }
    }

    /// What the names that are ours alone begin with.
    static let prefix = "CHARGELINE_"
}
