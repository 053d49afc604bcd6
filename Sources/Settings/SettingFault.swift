/// One wrong setting: which, what is wrong with it, and a value that would be right.
public struct SettingFault: Sendable, Equatable, CustomStringConvertible {
    /// The setting's name in the environment, or the flag as it was written.
    public let name: String
    /// What is wrong, as the end of a sentence; never a secret's value.
    public let problem: String
    /// A right value, as `NAME=value`.
    public let example: String

    /// One wrong setting.
    public init(name: String, problem: String, example: String) {
        self.name = name
        self.problem = problem
        self.example = example
    }

    /// One line for people.
    public var description: String { "\(name) \(problem); for example \(example)" }
}

/// Every fault of the settings, found in one pass.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one; those of one setting in the order of the table, those of several together after them.
    public let faults: [SettingFault]

    /// An error of these faults.
    public init(faults: [SettingFault]) { self.faults = faults }

    /// A line each.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// What is wrong with one text, before it is known to which setting it belongs.
struct ValueProblem: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
