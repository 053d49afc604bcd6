internal import ChargeWire
internal import Charging
internal import JSONText
internal import Messaging

/// What is kept of a message that a person takes out for good: who, why, when, and the message with its secrets masked.
/// On the results exchange it stands in the order of results: rank 0, not final, about this message alone.
struct DiscardRecord: Sendable {
    /// The record as JSON.
    let body: [UInt8]
    /// The same on every duplicate.
    let event: String
    private let lane: String
    private let correlationID: String?
    private let time: Int64

    /// The longest masked body that is kept.
    private static let bodyMax = 65_536

    init(_ message: ParkedMessage, _ request: DiscardRequest, now: Int64) {
        let mark = message.charge.bodyMark
        event = message.id.map { "\($0).discarded.\(mark)" } ?? "discarded.\(mark)"
        // What came by a lane that does not exist may have any name.
        lane = message.lane.utf8.count <= 32 ? message.lane : ParkedMessage.unknownLane
        correlationID = message.message.correlationID ?? message.id
        time = now
        let headers = message.charge.headers
        var writer = JSONWriter(reserving: 1024)
        writer.beginObject()
        writer.field("version", 1)
        writer.field("event", event)
        writer.field("id", message.id)
        writer.field("sequence", 0)
        writer.field("final", false)
        writer.field("status", "discarded")
        writer.field("lane", Shown.line(lane))
        writer.field("reason", Shown.line(message.reason))
        writer.field("why", request.why)
        writer.field("who", request.who)
        writer.field("not_charged", request.saysNotCharged)
        writer.field("correlation_id", correlationID.map(Shown.line))
        writer.field("caller", headers.caller.map(Shown.line))
        writer.field("attempts", headers.attempts)
        writer.field("accepted_at", time: message.accepted)
        writer.field("first_sent_at", time: headers.firstSent)
        writer.field("last_sent_at", time: headers.lastSent)
        writer.field("body_bytes", message.bodyBytes)
        let shown = Shown.body(message.message.body)
        writer.field("body", shown.utf8.count <= Self.bodyMax ? shown : String(shown.prefix(Self.bodyMax / 4)))
        writer.field("completed_at", time: now)
        writer.endObject()
        body = writer.finish()
    }

    /// The record as a message.
    func routed(_ topology: ChargeTopology) -> RoutedMessage {
        topology.discarded(body, event: event, lane: lane, correlationID: correlationID, at: time)
    }
}
