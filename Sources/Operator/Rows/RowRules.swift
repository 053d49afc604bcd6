public import Charging

/// What holds for all rows of a file beside the rules of a charge.
public struct RowRules: Sendable {
    /// The flow whose limits hold.
    public var flow: Flow
    /// The lanes that exist.
    public var lanes: [String]
    /// The lane of a row that names none.
    public var defaultLane: String
    /// What the ids of rows without one begin with; nil: each row must have its id.
    public var batch: String?

    /// Makes rules; the lane for rows that name none is the first unless it is given.
    public init(flow: Flow, lanes: [String], defaultLane: String? = nil, batch: String? = nil) {
        self.flow = flow
        self.lanes = lanes
        self.defaultLane = defaultLane ?? lanes.first ?? ""
        self.batch = batch
    }
}

/// A row that is right.
struct SendRow: Sendable {
    /// Where it stands in the file, from 1.
    let line: Int
    let lane: String
    let request: ChargeRequest
}

/// What a row of a file came to.
enum RowItem: Sendable {
    case row(SendRow)
    /// Why it is none.
    case bad([RowProblem])
}

extension RowRules {
    /// Makes a row of what was read of it.
    ///
    /// - Parameters:
    ///   - draft: its fields.
    ///   - lane: as it stands there, nil for none.
    ///   - problems: what was found already.
    ///   - columnName: how the file calls a field that has a problem.
    func row(
        of draft: consuming ChargeDraft, lane: String?, line: Int, problems: [RowProblem],
        columnName: (String) -> String
    ) -> RowItem {
        var problems = problems
        let lane = lane ?? defaultLane
        if !lanes.contains(lane) { problems.append(laneProblem(lane, line)) }
        let derived = draft.namesID ? nil : batch.map { "\($0)-\(line)" }
        do {
            let request = try draft.finish(messageID: derived)
            return problems.isEmpty ? .row(SendRow(line: line, lane: lane, request: request)) : .bad(problems)
        } catch {
            problems += error.problems.map { problem in
                if problem.field == "id", problem.code == .missing { return idProblem(line) }
                return RowProblem(
                    line: line, column: columnName(problem.field), code: problem.code.rawValue, message: problem.message
                )
            }
            return .bad(problems)
        }
    }

    private func idProblem(_ line: Int) -> RowProblem {
        RowProblem(
            line: line, column: "id", code: "parameter_missing",
            message: "id is missing: give every row an id, or send with --batch NAME, which names rows by their line")
    }

    private func laneProblem(_ lane: String, _ line: Int) -> RowProblem {
        let known = lanes.joined(separator: ", ")
        let hint = NearestWord.hint(for: lane, among: lanes)
        return RowProblem(
            line: line, column: "lane", code: "lane_unknown",
            message: "\(Shown.word(lane)) is not a lane\(hint): CHARGELINE_LANES has \(known)")
    }
}
