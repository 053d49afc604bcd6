public import Settings

/// The sandbox's own flags: the settings of `PUT /_sandbox/settings`, faults to begin with, and the seed.
public struct SandboxFlags: Sendable {
    /// What the flags say, over the defaults.
    public private(set) var settings = SandboxSettings()
    /// Arguments that are none of these flags, in order.
    public private(set) var rest: [String] = []
    /// Everything that is wrong.
    public private(set) var faults: [SettingFault] = []

    /// For `--help`: each flag with an example and what it means.
    public static let help: [(flag: String, meaning: String)] = [
        ("--latency 80ms-120ms", "how long an answer takes; one time or two"),
        ("--rate-limit 25", "requests a second for each account; 0, the default, for no limit"),
        (
            "--single-use-tokens true",
            "tokens of POST /v1/tokens work once, as at Stripe; all: tok_visa and the like too"
        ),
        ("--search-lag 60s", "until a search finds a new charge"),
        ("--largest-amount 99999999", "in minor units"),
        (
            "--break status_503=5%,reset_after_effect=x3",
            "faults: a share of requests, a count, or JSON as for PUT /_sandbox/faults"
        ),
        ("--seed 1", "decides ids and which requests a fault hits"),
    ]

    /// Reads `--name value` and `--name=value`.
    public init(_ arguments: [String]) {
        var left = arguments[...]
        while let argument = left.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard argument.hasPrefix("--"), let name = parts.first, let example = Self.example(name) else {
                rest.append(argument)
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : left.popFirst() else {
                faults.append(SettingFault(name: name, problem: "needs a value", example: example))
                continue
            }
            if let problem = apply(name, value) {
                faults.append(SettingFault(name: name, problem: problem, example: example))
            }
        }
    }

    private static func example(_ name: String) -> String? {
        help.first { $0.flag.hasPrefix(name + " ") }?.flag
    }

    /// Takes one flag; returns what is wrong with it.
    private mutating func apply(_ name: String, _ value: String) -> String? {
        switch name {
        case "--latency":
            guard let latency = SettingsText.latency(value) else { return "is no duration: \(value)" }
            settings.latency = latency
        case "--rate-limit":
            guard let limit = Int(value), limit >= 0 else { return "is no count: \(value)" }
            settings.rateLimit = limit
        case "--single-use-tokens":
            guard let policy = SettingsText.singleUse(value) else { return "must be true, false or all: \(value)" }
            settings.singleUseTokens = policy
        case "--search-lag":
            guard let lag = TimeSpan(value) else { return "is no duration: \(value)" }
            settings.searchLag = lag
        case "--largest-amount":
            guard let amount = Int64(value), amount > 0 else { return "is no amount in minor units: \(value)" }
            settings.largestAmount = amount
        case "--seed":
            guard let seed = UInt64(value) else { return "is no number: \(value)" }
            settings.seed = seed
        default:
            do throws(FaultText.Problem) {
                settings.faults = try FaultText.parse(flag: value)
            } catch {
                return error.description
            }
        }
        return nil
    }
}
