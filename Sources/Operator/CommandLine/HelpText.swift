internal import Settings

/// The words of `--help`.
public struct HelpText: Sendable {
    private let table: CommandTable
    private let tagline: String
    private let examples: [(line: String, meaning: String)]

    /// Help for a table of commands.
    ///
    /// - Parameters:
    ///   - tagline: what the program is for, in a line or two.
    ///   - examples: what a newcomer does first.
    public init(table: CommandTable, tagline: String, examples: [(line: String, meaning: String)]) {
        self.table = table
        self.tagline = tagline
        self.examples = examples
    }

    /// The help on a topic, without a line break at its end.
    public func text(_ topic: HelpTopic) -> String {
        switch topic {
        case .program: program
        case .group(let word): group(word)
        case .command(let command): Self.command(command)
        }
    }

    private var program: String {
        var lines = [tagline, "", "Usage: chargeline COMMAND [flags]"]
        for section in table.sections {
            lines += ["", "\(section.title):"]
            lines += Self.columns(section.commands.map { ($0.name, $0.summary) })
        }
        lines += ["", "Examples:"] + Self.exampleLines(examples)
        lines += [
            "", "Settings come from the environment or from flags; chargeline config shows them.",
            "chargeline COMMAND --help says more. Exit codes: 0 done, 1 found a problem, 2 usage or configuration,",
            "3 broker or Stripe unreachable.",
        ]
        return lines.joined(separator: "\n")
    }

    private func group(_ word: String) -> String {
        let commands = table.group(word)
        var lines = ["Usage: chargeline \(word) \(commands.map { $0.path[1] }.joined(separator: "|")) [flags]", ""]
        lines += Self.columns(commands.map { ($0.name, $0.summary) })
        lines += ["", "Examples:"] + Self.exampleLines(commands.flatMap(\.examples))
        return lines.joined(separator: "\n")
    }

    private static func command(_ command: Command) -> String {
        let operands = command.operands.isEmpty ? "" : " \(command.operands)"
        var lines = ["Usage: chargeline \(command.name)\(operands) [flags]", "", "\(command.summary)."]
        for paragraph in command.details { lines += ["", paragraph] }
        lines += ["", "Flags:"]
        let options = command.options + [Command.Option("help", short: "h", "show this")]
        lines += columns(options.map { (spelled($0), $0.meaning) })
        if let role = command.role {
            lines += ["", "Settings (a flag, or a variable of the environment; a secret by NAME or NAME_FILE only):"]
            lines += columns(SettingsTable.all.filter { $0.roles.contains(role) }.map { described($0, role) })
        }
        lines += ["", "Examples:"] + exampleLines(command.examples)
        return lines.joined(separator: "\n")
    }

    private static func spelled(_ option: Command.Option) -> String {
        let short = option.short.map { "-\($0), " } ?? ""
        let value = option.value.map { " \($0)" } ?? ""
        return "\(short)--\(option.name)\(value)"
    }

    private static func described(_ setting: Setting, _ role: Role) -> (String, String) {
        let standard = setting.standard(for: role).map { " [\(setting.shown($0))]" } ?? ""
        let flag = setting.flag.map { "--\($0), " } ?? ""
        return (flag + setting.name, setting.meaning + standard)
    }

    private static func exampleLines(_ examples: [(line: String, meaning: String)]) -> [String] {
        examples.flatMap { ["  \($0.line)", "      \($0.meaning)"] }
    }

    /// Names and meanings side by side; a long name has its meaning below.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = min(34, rows.map(\.0.count).max() ?? 0)
        var lines: [String] = []
        for (name, meaning) in rows {
            if name.count > width { lines.append("  \(name)") }
            let margin = name.count > width ? "" : name
            lines.append("  " + margin + String(repeating: " ", count: width - margin.count + 2) + meaning)
        }
        return lines
    }
}
