internal import Settings

/// Reads the words behind a command: its own flags, settings, operands.
struct OptionReader {
    let command: Command
    private var operands: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    init(command: Command) {
        self.command = command
    }

    /// - Throws: the first thing that is wrong.
    consuming func read(_ words: [String]) throws(UsageProblem) -> Invocation {
        var words = words
        var settings: [String: String] = [:]
        if command.role != nil {
            let flags = SettingFlags(words)
            if let fault = flags.faults.first { throw UsageProblem(fault.description, command: command) }
            settings = flags.values
            words = flags.rest
        }
        try readFlags(words)
        guard command.operandCount.contains(operands.count) else {
            throw UsageProblem(operandProblem(), command: command)
        }
        return Invocation(
            command: command, operands: operands, values: values, switches: switches, settings: settings)
    }

    private mutating func readFlags(_ words: [String]) throws(UsageProblem) {
        var at = words.startIndex
        while at < words.endIndex {
            let word = words[at]
            at += 1
            if word == "--" {
                operands += words[at...]
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, attached) = try find(word)
            if option.value == nil {
                if attached != nil { throw UsageProblem("--\(option.name) takes no value", command: command) }
                switches.insert(option.name)
            } else if let attached {
                values[option.name] = attached
            } else if at < words.endIndex, !words[at].hasPrefix("--") {
                values[option.name] = words[at]
                at += 1
            } else {
                throw UsageProblem("--\(option.name) needs a value: \(option.value ?? "")", command: command)
            }
        }
    }

    /// The flag that a word means, and the value attached to it.
    private func find(_ word: String) throws(UsageProblem) -> (Command.Option, String?) {
        if !word.hasPrefix("--") {
            let letters = word.dropFirst()
            if let letter = letters.first, let option = command.options.first(where: { $0.short == letter }) {
                let attached = letters.dropFirst()
                return (option, attached.isEmpty ? nil : String(attached))
            }
            throw UsageProblem("\(command.name) has no flag \(Shown.word(String(word.prefix(2))))", command: command)
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        if let option = command.options.first(where: { $0.name == name }) {
            return (option, parts.count > 1 ? String(parts[1]) : nil)
        }
        var known = command.options.map(\.name)
        if command.role != nil { known += SettingsTable.all.compactMap(\.flag) }
        let nearest = NearestName.of(name, among: known).map { " (did you mean --\($0)?)" } ?? ""
        throw UsageProblem("\(command.name) has no flag \(Shown.word("--" + name))\(nearest)", command: command)
    }

    private func operandProblem() -> String {
        if command.operandCount.upperBound == 0 {
            return "\(command.name) takes no operand, and was given \(Shown.word(operands.first ?? ""))"
        }
        let what = operands.count < command.operandCount.lowerBound ? "needs" : "takes no more than"
        return "\(command.name) \(what) \(command.operands)"
    }
}
