public import Settings

/// One command as the command line knows it: its name, what may follow it, and its help.
public struct Command: Sendable {
    /// A flag of a command; settings have flags of their own, which every command that reads them takes.
    public struct Option: Sendable {
        /// Without dashes.
        public let name: String
        /// `n` for `-n`.
        public let short: Character?
        /// What stands for its value in help, such as `NAME`; nil for a switch.
        public let value: String?
        /// One line.
        public let meaning: String

        /// Makes one.
        public init(_ name: String, short: Character? = nil, value: String? = nil, _ meaning: String) {
            self.name = name
            self.short = short
            self.value = value
            self.meaning = meaning
        }
    }

    /// Its words: `["parked", "show"]`.
    public let path: [String]
    /// One line, without a full stop.
    public let summary: String
    /// What follows it, such as `FILE|-`; empty for nothing.
    public let operands: String
    /// How many operands it takes.
    public let operandCount: ClosedRange<Int>
    /// Its own flags; `--help` is not among them.
    public let options: [Option]
    /// For which role it reads settings; nil when it reads none.
    public let role: Role?
    /// Paragraphs for its help.
    public let details: [String]
    /// Command lines for its help, each with what it does.
    public let examples: [(line: String, meaning: String)]

    /// Makes one.
    public init(
        _ path: String, _ summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
        options: [Option] = [], role: Role? = .tool, details: [String] = [],
        examples: [(line: String, meaning: String)]
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.operands = operands
        self.operandCount = operandCount
        self.options = options
        self.role = role
        self.details = details
        self.examples = examples
    }

    /// Its words in one: `parked show`.
    public var name: String { path.joined(separator: " ") }

    /// The flag `--json`, in the words all commands share.
    public static let json = Option("json", "write one JSON object, for programs")
}
