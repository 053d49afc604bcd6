internal import ChargeWire
internal import Charging

/// Which parked messages a command is about.
enum ParkedSelection: Sendable, Equatable {
    /// Those of these charges.
    case ids(Set<String>)
    /// Those parked for this reason.
    case reason(String)
    /// All.
    case all

    /// Reads `ID…`, `--reason` or `--all`; exactly one of them has to be given.
    init(_ invocation: Invocation) throws(UsageProblem) {
        let reason = invocation.values["reason"]
        let takesAll = invocation.has("all")
        let ids = invocation.operands
        let given = [!ids.isEmpty, reason != nil, takesAll].count { $0 }
        let ways =
            invocation.command.options.contains { $0.name == "all" } ? "ID…, --reason or --all" : "ID… or --reason"
        guard given > 0 else { throw UsageProblem("say which: \(ways)", command: invocation.command) }
        guard given == 1 else { throw UsageProblem("give only one of \(ways)", command: invocation.command) }
        if let reason {
            self = .reason(reason)
        } else if takesAll {
            self = .all
        } else {
            for id in ids where (try? ChargeID(validating: id)) == nil {
                throw UsageProblem("\(Shown.word(id)) is no charge id", command: invocation.command)
            }
            self = .ids(Set(ids))
        }
    }

    func holds(_ message: ParkedMessage) -> Bool {
        switch self {
        case .ids(let ids): message.id.map(ids.contains) ?? false
        case .reason(let reason): message.reason == reason
        case .all: true
        }
    }

    /// Those of the messages that are meant, and the ids that none of them has.
    func choose(from messages: [ParkedMessage]) -> (chosen: [ParkedMessage], missing: [String]) {
        let chosen = messages.filter(holds)
        guard case .ids(let ids) = self else { return (chosen, []) }
        return (chosen, ids.subtracting(chosen.compactMap(\.id)).sorted())
    }

    /// What a reason that nothing is parked for was probably meant to be.
    static func hint(for reason: String) -> String {
        let known =
            ParkReason.allCases.map(\.rawValue) + [
                ParkedMessage.deliveryLimit, ParkedMessage.rejectedResult, ParkedMessage.unknownLane,
            ]
        return known.contains(reason) ? "" : NearestWord.hint(for: reason, among: known)
    }
}
