/// Everything that is wrong with one body, found in one reading.
public struct ChargeRequestProblems: Error, Hashable, Sendable, CustomStringConvertible {
    /// The charge id, where one could be read: then a `refused` result can say which message it answers.
    public let id: ChargeID?
    /// The problems in the order they were met; never empty.
    public let problems: [FieldProblem]

    /// Gathers the problems of one body.
    public init(id: ChargeID?, problems: [FieldProblem]) {
        self.id = id
        self.problems = problems
    }

    /// The messages, one after the other.
    public var description: String { problems.map(\.message).joined(separator: "; ") }
}
