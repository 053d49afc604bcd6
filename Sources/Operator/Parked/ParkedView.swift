internal import JSONText
internal import Messaging

/// All of one parked message, with what must not be shown masked.
struct ParkedView {
    private let message: ParkedMessage

    init(_ message: ParkedMessage) {
        self.message = message
    }

    private var properties: [(name: String, value: String?)] {
        [
            ("message_id", message.message.messageID), ("correlation_id", message.message.correlationID),
            ("reply_to", message.message.replyTo), ("type", message.message.type),
            ("content_type", message.message.contentType),
            ("timestamp", message.message.timestamp.map { RFC3339.text(milliseconds: $0 * 1000) }),
        ]
    }

    private var headers: [(name: String, value: String)] {
        message.message.headers.map { header in
            guard let number = header.value.int, Self.times.contains(header.name) else {
                return (header.name, header.value.description)
            }
            return (header.name, "\(number) (\(RFC3339.text(milliseconds: number)))")
        }
    }

    private static let times: Set<String> = [
        "x-chargeline-accepted", "x-chargeline-first-sent", "x-chargeline-last-sent",
    ]

    private var body: String {
        message.message.body.isEmpty && message.bodyBytes > 0
            ? "(\(message.bodyBytes) bytes, too many to show)" : Shown.body(message.message.body)
    }

    /// For people.
    var lines: [String] {
        var lines = ["reason  \(Shown.line(message.reason))  \(ParkedListing.meaning(message.reason))"]
        lines.append("key     \(Shown.line(message.key))  (last published to \(Shown.line(message.exchange)))")
        for property in properties {
            if let value = property.value { lines.append("\(property.name)  \(Shown.line(value))") }
        }
        lines += headers.map { "\(Shown.line($0.name))  \(Shown.line($0.value))" }
        return lines + ["", body]
    }

    /// For programs.
    var json: [UInt8] {
        var writer = JSONWriter(reserving: 2048)
        writer.beginObject()
        writer.field("id", message.id.map(Shown.line))
        writer.field("reason", Shown.line(message.reason))
        writer.field("routing_key", Shown.line(message.key))
        writer.name("properties")
        writer.beginObject()
        for property in properties {
            guard let value = property.value else { continue }
            writer.name(string: property.name)
            writer.value(Shown.line(value))
        }
        writer.endObject()
        writer.name("headers")
        writer.beginObject()
        for header in message.message.headers {
            writer.name(string: Shown.line(header.name))
            switch header.value {
            case .int(let number): writer.value(number)
            case .bool(let flag): writer.value(flag)
            case .text, .other: writer.value(Shown.line(header.value.description))
            }
        }
        writer.endObject()
        writer.field("body", body)
        writer.endObject()
        return writer.finish()
    }
}
