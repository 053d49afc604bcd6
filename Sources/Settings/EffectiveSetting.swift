/// What a setting turned out to be, and why: one line of `chargeline config`.
public struct EffectiveSetting: Sendable, Equatable {
    /// Where a value came from, the strongest first.
    public enum Source: String, Sendable {
        /// The command line.
        case flag
        /// The environment.
        case environment
        /// The file named by `NAME_FILE`.
        case file
        /// The table.
        case standard = "default"
        /// Nowhere: it has no value.
        case unset
    }

    /// The setting's name.
    public let name: String
    /// The value as it may be shown, secrets masked; nil if it has none.
    public let shown: String?
    /// Where it came from.
    public let source: Source
    /// What the setting is for.
    public let meaning: String
}
