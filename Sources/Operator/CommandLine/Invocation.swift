/// A command with what was given to it.
public struct Invocation: Sendable {
    /// The command.
    public let command: Command
    /// What follows it, flags aside.
    public let operands: [String]
    /// Flags of the command that have a value; of one given twice the last.
    public let values: [String: String]
    /// Flags of the command that have none.
    public let switches: Set<String>
    /// Flags that are settings.
    public let settings: [String: String]

    /// Whether a switch was given.
    public func has(_ name: String) -> Bool { switches.contains(name) }

    /// Whether `--json` was given.
    public var wantsJSON: Bool { has("json") }

    /// A flag's value as a number from `range`.
    ///
    /// - Throws: what is wrong with it.
    public func count(_ name: String, in range: ClosedRange<Int>) throws(UsageProblem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageProblem(
                "--\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)", command: command)
        }
        return number
    }

    /// What a command line asks for.
    public enum Request: Sendable {
        /// To run a command.
        case run(Invocation)
        /// To explain: everything, a group of commands, or one.
        case help(HelpTopic)
        /// To say the version.
        case version
    }
}

/// What help is asked for.
public enum HelpTopic: Sendable {
    /// Every command, in a line each.
    case program
    /// The commands that begin with this word.
    case group(String)
    /// One command.
    case command(Command)
}

/// What is wrong with a command line, in one sentence.
public struct UsageProblem: Error, Sendable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String
    /// What to read: `chargeline send --help`.
    public let help: String

    init(_ text: String, help: String) {
        description = text
        self.help = help
    }

    /// A problem of a command's own.
    public init(_ text: String, command: Command) {
        self.init(text, help: "chargeline \(command.name) --help")
    }
}
