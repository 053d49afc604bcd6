internal import Charging
internal import Settings

/// What a `send` was asked to do, checked.
struct SendRequest: Sendable {
    let path: String
    let rules: RowRules
    let format: RowFormat?
    let isOnlyCheck: Bool
    let waits: Bool
    /// Longest wait for results once all is sent, ns.
    let waitLimit: Int64?
    let isJSON: Bool

    init(_ invocation: Invocation, _ settings: ChargelineSettings) throws(UsageProblem) {
        func wrong(_ text: String) -> UsageProblem { UsageProblem(text, command: invocation.command) }
        path = invocation.operands.first ?? "-"
        isOnlyCheck = invocation.has("check")
        isJSON = invocation.wantsJSON
        waits = invocation.has("wait") || invocation.values["wait-for"] != nil
        if let text = invocation.values["wait-for"] {
            guard let span = TimeSpan(text), span.milliseconds > 0 else {
                throw wrong("--wait-for must be a length of time, such as 10m")
            }
            waitLimit = span.milliseconds * 1_000_000
        } else {
            waitLimit = nil
        }
        if let text = invocation.values["format"] {
            guard let known = RowFormat(rawValue: text) else { throw wrong("--format must be csv or jsonl") }
            format = known
        } else {
            format = nil
        }
        let lane = invocation.values["lane"]
        if let lane, !settings.lanes.contains(lane) {
            let hint = NearestWord.hint(for: lane, among: settings.lanes)
            throw wrong("--lane \(Shown.word(lane)) is not one of \(settings.lanes.joined(separator: ", "))\(hint)")
        }
        let batch = invocation.values["batch"]
        if let batch {
            // The longest line number is added to it.
            guard (try? ChargeID(validating: batch + "-1234567890")) != nil else {
                throw wrong("--batch must be 1 to 189 of A-Z a-z 0-9 . _ : and -, since it begins ids")
            }
        }
        rules = RowRules(
            flow: settings.stripeFlow == .charges ? .charges : .paymentIntents, lanes: settings.lanes,
            defaultLane: lane, batch: batch)
    }
}
