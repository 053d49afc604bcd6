/// How much a line matters; the raw value is the word in the line and in `CHARGELINE_LOG`.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// For who looks for a fault.
    case debug
    /// One line an outcome, and what the process does.
    case info
    /// What may need a person later.
    case warning
    /// What needs a person.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// Less important before more important.
    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }
}
