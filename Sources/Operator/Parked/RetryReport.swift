internal import JSONText

/// What `parked retry` came to.
struct RetryReport: Sendable {
    let end: ParkedPassEnd
    /// Charges that went back to their lanes.
    let charges: Int
    /// Results that went back to the results.
    let results: Int
    /// Ids that were asked for and are not parked.
    let missing: [String]

    /// For people.
    var lines: [String] {
        var lines: [String] = []
        if end.depth == 0 { lines.append("nothing is parked") }
        if charges + results > 0 || end.depth > 0 {
            var parts: [String] = []
            if charges > 0 || results == 0 { parts.append(Self.count(charges, "charge")) }
            if results > 0 { parts.append(Self.count(results, "result")) }
            lines.append("retried \(parts.joined(separator: " and "))")
        }
        lines += end.refused.map {
            "stays parked: \(Shown.line($0.id ?? "(no id)"))  \(Shown.line($0.reason))  \($0.why)"
        }
        lines += missing.map { "\(Shown.line($0)) is not parked" }
        if end.interrupted != nil { lines.append("stopped: the rest stays parked; run it again to go on") }
        if let line = end.unseenLine { lines.append(line) }
        return lines
    }

    /// For programs.
    var json: [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        writer.beginObject()
        writer.field("parked", end.depth)
        writer.field("charges", charges)
        writer.field("results", results)
        writer.field("unseen", end.unseen)
        writer.field("parked_meanwhile", end.late)
        writer.field("interrupted", end.interrupted != nil)
        writer.name("refused")
        writer.beginArray()
        for message in end.refused {
            writer.beginObject()
            writer.field("id", message.id.map(Shown.line))
            writer.field("reason", Shown.line(message.reason))
            writer.field("why", message.why)
            writer.endObject()
        }
        writer.endArray()
        writer.name("missing")
        writer.beginArray()
        for id in missing { writer.value(Shown.line(id)) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    var exit: ToolExit { end.refused.isEmpty && missing.isEmpty && end.unseen == 0 ? .done : .problem }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(AmountText.grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
