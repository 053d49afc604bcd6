internal import Settings

/// The commands of a program, and what a line of words means by them.
public struct CommandTable: Sendable {
    /// In the order of the help, under headings.
    public let sections: [(title: String, commands: [Command])]

    /// Makes a table.
    public init(sections: [(title: String, commands: [Command])]) {
        self.sections = sections
    }

    /// Every command.
    public var commands: [Command] { sections.flatMap(\.commands) }

    /// The commands whose first word this is, when they have a second.
    func group(_ word: String) -> [Command] {
        commands.filter { $0.path.count > 1 && $0.path[0] == word }
    }

    /// Reads what follows the program's name.
    ///
    /// - Throws: what is wrong with it, with the nearest name that there is.
    public func read(_ words: [String]) throws(UsageProblem) -> Invocation.Request {
        guard let first = words.first else { return .help(.program) }
        switch first {
        case "--help", "-h": return .help(.program)
        case "--version", "-V": return .version
        case "help": return .help(try topic(Array(words.dropFirst())))
        default: break
        }
        if first.hasPrefix("-") {
            throw UsageProblem(
                "a command comes first: chargeline COMMAND \(first.prefix { $0 != "=" }) …", help: "chargeline --help")
        }
        let command: Command
        switch try topic(words) {
        case .command(let found): command = found
        case .group(let word):
            let rest = words.dropFirst()
            if rest.contains("--help") || rest.contains("-h") { return .help(.group(word)) }
            let verbs = group(word).map { $0.path[1] }.joined(separator: ", ")
            throw UsageProblem("\(word) needs one of: \(verbs)", help: "chargeline \(word) --help")
        case .program: return .help(.program)
        }
        let rest = Array(words.dropFirst(command.path.count))
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .help(.command(command))
        }
        return .run(try OptionReader(command: command).read(rest))
    }

    /// What the first words name.
    private func topic(_ words: [String]) throws(UsageProblem) -> HelpTopic {
        guard let first = words.first else { return .program }
        if let command = commands.first(where: { $0.path == [first] }) { return .command(command) }
        let group = group(first)
        guard !group.isEmpty else {
            let known = Array(Set(commands.map { $0.path[0] })).sorted()
            throw UsageProblem(
                "there is no command \(Shown.word(first))\(NearestWord.hint(for: first, among: known))",
                help: "chargeline --help")
        }
        guard words.count > 1, !words[1].hasPrefix("-") else { return .group(first) }
        if let command = group.first(where: { $0.path[1] == words[1] }) { return .command(command) }
        let verbs = group.map { $0.path[1] }
        throw UsageProblem(
            "there is no command \(first) \(Shown.word(words[1]))\(NearestWord.hint(for: words[1], among: verbs))",
            help: "chargeline \(first) --help")
    }
}
