/// What a command tells the shell.
public enum ToolExit: Int32, Sendable, Equatable {
    /// Done.
    case done = 0
    /// Done, and a problem was found: bad rows, a difference, a charge that needs a person.
    case problem = 1
    /// The command line or the configuration is wrong.
    case usage = 2
    /// The broker or Stripe cannot be reached.
    case unreachable = 3

    /// The worse of two: what cannot be reached hides what else there may be.
    public static func worse(_ one: ToolExit, _ other: ToolExit) -> ToolExit {
        one.rawValue >= other.rawValue ? one : other
    }
}
