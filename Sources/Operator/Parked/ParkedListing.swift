internal import JSONText

/// A list of parked messages by reason, the most frequent first.
struct ParkedListing {
    private let look: ParkedReader.Look
    private let groups: [(reason: String, messages: [ParkedMessage])]

    init(_ look: ParkedReader.Look) {
        self.look = look
        groups = Dictionary(grouping: look.messages, by: \.reason)
            .map { (reason: $0.key, messages: $0.value) }
            .sorted { ($1.messages.count, $0.reason) < ($0.messages.count, $1.reason) }
    }

    /// For people.
    func lines(now: Int64) -> [String] {
        guard look.depth > 0 else { return ["nothing is parked"] }
        var lines: [String] = []
        for group in groups {
            if !lines.isEmpty { lines.append("") }
            lines.append("\(Shown.line(group.reason))  \(group.messages.count)  \(Self.meaning(group.reason))")
            for message in group.messages { lines.append("  " + Self.line(message, now: now)) }
        }
        if look.messages.count < look.depth {
            lines += ["", "the oldest \(look.messages.count) of \(look.depth); --limit shows more"]
        }
        return lines
    }

    /// For programs.
    var json: [UInt8] {
        var writer = JSONWriter(reserving: 4096)
        writer.beginObject()
        writer.field("parked", look.depth)
        writer.field("listed", look.messages.count)
        writer.name("reasons")
        writer.beginArray()
        for group in groups {
            writer.beginObject()
            writer.field("reason", Shown.line(group.reason))
            writer.field("count", group.messages.count)
            writer.name("messages")
            writer.beginArray()
            for message in group.messages {
                writer.beginObject()
                writer.field("id", message.id.map(Shown.line))
                writer.field("lane", Shown.line(message.lane))
                writer.field("accepted_at", time: message.accepted)
                writer.field("first_sent_at", time: message.firstSent)
                writer.field("attempts", message.attempts)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// One message, for people.
    static func line(_ message: ParkedMessage, now: Int64) -> String {
        var parts = [message.id ?? "(no id)", "lane \(message.lane)"]
        if let accepted = message.accepted, accepted <= now {
            parts.append("accepted \(ProgressText.duration(seconds: (now - accepted) / 1000)) ago")
        }
        if message.attempts > 0 { parts.append("\(message.attempts) attempts") }
        if message.firstSent != nil { parts.append("may have moved money") }
        return Shown.line(parts.joined(separator: "  "))
    }

    /// What a reason means, for who reads it the first time.
    static func meaning(_ reason: String) -> String {
        switch reason {
        case "unreadable": "not a charge: a person must see what its sender meant"
        case "bad-headers": "a header of ours that this version does not understand"
        case "card-number": "holds a card number (masked): its sender must send tokens"
        case "invalid-after-send": "was sent once, and is found invalid now: look for it at Stripe"
        case "absent": "may have been sent, and is not at Stripe a day after"
        case "doubled": "Stripe has two charges for it: refund one"
        case "operator": "Stripe rejects something that no caller sent: see the workers' log"
        case "kills-workers": "its workers die"
        case ParkedMessage.deliveryLimit: "came back unsettled too often"
        case ParkedMessage.rejectedResult: "a result that its consumer rejected"
        case ParkedMessage.unknownLane: "was published for a lane that does not exist"
        default: ""
        }
    }
}
