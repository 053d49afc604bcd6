/// Takes the flags that are settings out of a command line, and leaves the rest to the command.
public struct SettingFlags: Sendable, Equatable {
    /// The values, by the flag's name without its dashes; of a flag given twice the last counts.
    public private(set) var values: [String: String] = [:]
    /// The arguments that are no setting, in their order; what stands behind `--` with it.
    public private(set) var rest: [String] = []
    /// What is wrong, as with settings.
    public private(set) var faults: [SettingFault] = []

    /// Reads `--name value` and `--name=value`.
    public init(_ arguments: [String]) {
        var at = arguments.startIndex
        while at < arguments.endIndex {
            let argument = arguments[at]
            at += 1
            if argument == "--" {
                rest += ["--"] + arguments[at...]
                return
            }
            guard argument.hasPrefix("--") else {
                rest.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            if let secret = Self.secret(name) {
                // Its value, if one follows, is a secret in a wrong place: it is passed over, and never repeated.
                if parts.count == 1, at < arguments.endIndex, !arguments[at].hasPrefix("-") { at += 1 }
                complain(
                    secret.name, "has no flag, because a process list shows it", "\(secret.name)_FILE=/path/to/file")
            } else if let setting = SettingsTable.flagged(name) {
                if parts.count == 2 {
                    values[name] = String(parts[1])
                } else if at < arguments.endIndex, !arguments[at].hasPrefix("--") {
                    values[name] = arguments[at]
                    at += 1
                } else {
                    complain("--\(name)", "needs a value", "--\(name) \(setting.example)")
                }
            } else {
                rest.append(argument)
            }
        }
    }

    /// The secret that somebody tried to give as a flag.
    private static func secret(_ name: String) -> Setting? {
        SettingsTable.all.first { setting in
            guard setting.secrecy == .secret else { return false }
            let flag = String(setting.name.lowercased().map { $0 == "_" ? "-" : $0 })
            return name == flag || "chargeline-" + name == flag
        }
    }

    private mutating func complain(_ name: String, _ problem: String, _ example: String) {
        faults.append(SettingFault(name: name, problem: problem, example: example))
    }
}
