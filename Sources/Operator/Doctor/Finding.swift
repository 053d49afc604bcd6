internal import JSONText

/// One line of what the doctor found.
struct Finding: Sendable, Equatable {
    /// How it stands.
    enum State: String, Sendable {
        /// As it should be.
        case ok
        /// Something to mend.
        case problem
        /// What cannot be reached at all.
        case unreachable
        /// What cannot be seen from here.
        case unseen
    }

    let check: String
    let state: State
    let text: String
    /// What a person can do; empty where there is nothing to do.
    let mend: String

    init(_ check: String, _ state: State, _ text: String, mend: String = "") {
        self.check = check
        self.state = state
        self.text = text
        self.mend = mend
    }

    /// For people.
    ///
    /// - Parameter hasColors: whether the state may be green or red.
    func line(hasColors: Bool) -> String {
        func padded(_ word: String, _ width: Int) -> String {
            word + String(repeating: " ", count: max(0, width - word.count))
        }
        let tail = mend.isEmpty ? "" : "; \(mend)"
        let rest = Shown.line("\(padded(check, 11))  \(text)\(tail)")
        let word = padded(state.rawValue, 11)
        guard hasColors, state != .unseen else { return "\(word)  \(rest)" }
        return "\u{1B}[\(state == .ok ? 32 : 31)m\(word)\u{1B}[0m  \(rest)"
    }

    /// For programs.
    static func json(_ findings: [Finding]) -> [UInt8] {
        var writer = JSONWriter(reserving: 2048)
        writer.beginObject()
        writer.field("ok", exit(findings) == .done)
        writer.name("checks")
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.field("check", finding.check)
            writer.field("state", finding.state.rawValue)
            writer.field("text", Shown.line(finding.text))
            writer.field("mend", Shown.line(finding.mend))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// What the doctor ends with.
    static func exit(_ findings: [Finding]) -> ToolExit {
        if findings.contains(where: { $0.state == .unreachable }) { return .unreachable }
        return findings.contains { $0.state == .problem } ? .problem : .done
    }
}
