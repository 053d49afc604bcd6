internal import JSONText
internal import Settings

/// Settings as JSON, and as the words of flags.
public enum SettingsText {
    /// Reads `250ms`, or `50ms-200ms` to be drawn between; nil for anything else.
    public static func latency(_ text: String) -> SandboxSettings.Latency? {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let least = TimeSpan(String(parts[0])) else { return nil }
        guard parts.count == 2 else { return SandboxSettings.Latency(least) }
        guard let most = TimeSpan(String(parts[1])), most >= least else { return nil }
        return SandboxSettings.Latency(least, most)
    }

    /// Reads `false` or `none`, `true` or `made`, `all`; nil for anything else.
    public static func singleUse(_ text: String) -> SandboxSettings.SingleUse? {
        switch text {
        case "false", "none": SandboxSettings.SingleUse.none
        case "true", "made": .made
        case "all": .all
        default: nil
        }
    }

    /// Changes what the object names and leaves the rest; nothing changes if anything in it is wrong.
    static func change(_ settings: inout SandboxSettings, json: [UInt8]) throws {
        var changed = settings
        var reader = JSONReader(json)
        try reader.beginObject()
        while let name = try reader.nextName() {
            switch name.text {
            case "latency":
                let text = try reader.string()
                guard let latency = latency(text) else {
                    throw FaultText.Problem("latency \"\(text)\": write 250ms, or 50ms-200ms")
                }
                changed.latency = latency
            case "rate_limit": changed.rateLimit = try count(&reader, "rate_limit")
            case "search_lag":
                let text = try reader.string()
                guard let lag = TimeSpan(text) else {
                    throw FaultText.Problem("search_lag \"\(text)\": write 500ms or 60s")
                }
                changed.searchLag = lag
            case "single_use_tokens":
                let word = try reader.peek() == .bool ? String(try reader.bool()) : try reader.string()
                guard let policy = singleUse(word) else {
                    throw FaultText.Problem("single_use_tokens \"\(word)\": must be true, false or \"all\"")
                }
                changed.singleUseTokens = policy
            case "largest_amount": changed.largestAmount = Int64(try count(&reader, "largest_amount"))
            default:
                throw FaultText.Problem(
                    "unknown setting \"\(name.text)\"; known are latency, rate_limit, single_use_tokens, search_lag, "
                        + "largest_amount")
            }
        }
        try reader.end()
        settings = changed
    }

    private static func count(_ reader: inout JSONReader, _ name: String) throws -> Int {
        let number = try reader.integer()
        guard number >= 0 else { throw FaultText.Problem("\(name) \(number): must not be negative") }
        return Int(number)
    }

    static func write(_ settings: SandboxSettings) -> [UInt8] {
        let latency = settings.latency
        var json = JSONWriter()
        json.beginObject()
        json.field(
            "latency", latency.least == latency.most ? "\(latency.least)" : "\(latency.least)-\(latency.most)")
        json.field("rate_limit", settings.rateLimit)
        switch settings.singleUseTokens {
        case .none: json.field("single_use_tokens", false)
        case .made: json.field("single_use_tokens", true)
        case .all: json.field("single_use_tokens", "all")
        }
        json.field("search_lag", settings.searchLag.description)
        json.field("largest_amount", settings.largestAmount)
        json.endObject()
        return json.finish()
    }
}
