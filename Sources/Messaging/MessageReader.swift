internal import CLinux
internal import CRabbitMQ

/// Puts a delivered or returned message together: properties first, then the body in pieces. One per channel, since
/// the frames of a message are only in order on their channel.
struct MessageReader {
    /// A header frame's properties and the body so far.
    private var message = Message(body: [])
    private var expected = 0
    private var received = 0
    private var isOversize = false

    /// The size the header frame promised.
    var bodyBytes: Int { expected }
    var isComplete: Bool { received >= expected }

    /// Begins with a header frame.
    mutating func begin(
        _ properties: UnsafePointer<amqp_basic_properties_t>, bodySize: UInt64, bodyMax: Int, names: inout NameCache
    ) {
        expected = Int(clamping: bodySize)
        received = 0
        isOversize = expected > bodyMax
        message = Self.read(properties, &names)
    }

    /// Adds a body frame.
    mutating func add(_ fragment: amqp_bytes_t) {
        received += fragment.len
        guard !isOversize, let start = fragment.bytes else { return }
        let bytes = UnsafeRawBufferPointer(start: start, count: fragment.len)
        if fragment.len == expected {
            message.body = [UInt8](bytes)
        } else {
            if message.body.isEmpty { message.body.reserveCapacity(expected) }
            message.body.append(contentsOf: bytes)
        }
    }

    /// The whole message.
    mutating func take() -> Message {
        let whole = message
        message = Message(body: [])
        return whole
    }

    private static func read(_ properties: UnsafePointer<amqp_basic_properties_t>, _ names: inout NameCache) -> Message
    {
        let flags = Int32(bitPattern: properties.pointee._flags)
        var message = Message(body: [], persistent: false)
        if flags & AMQP_BASIC_CONTENT_TYPE_FLAG != 0 {
            message.contentType = names.text(properties.pointee.content_type)
        }
        if flags & AMQP_BASIC_HEADERS_FLAG != 0 { message.headers = read(properties.pointee.headers, &names) }
        if flags & AMQP_BASIC_DELIVERY_MODE_FLAG != 0 { message.persistent = properties.pointee.delivery_mode == 2 }
        if flags & AMQP_BASIC_CORRELATION_ID_FLAG != 0 {
            message.correlationID = properties.pointee.correlation_id.text
        }
        if flags & AMQP_BASIC_REPLY_TO_FLAG != 0 { message.replyTo = properties.pointee.reply_to.text }
        if flags & AMQP_BASIC_MESSAGE_ID_FLAG != 0 { message.messageID = properties.pointee.message_id.text }
        if flags & AMQP_BASIC_TIMESTAMP_FLAG != 0 {
            message.timestamp = Int64(clamping: properties.pointee.timestamp)
        }
        if flags & AMQP_BASIC_TYPE_FLAG != 0 { message.type = names.text(properties.pointee.type) }
        return message
    }

    private static func read(_ table: amqp_table_t, _ names: inout NameCache) -> [MessageHeader] {
        guard table.num_entries > 0, let entries = table.entries else { return [] }
        var headers: [MessageHeader] = []
        headers.reserveCapacity(Int(table.num_entries))
        for index in 0..<Int(table.num_entries) {
            headers.append(MessageHeader(names.text(entries[index].key), read(entries[index].value)))
        }
        return headers
    }

    private static func read(_ field: amqp_field_value_t) -> HeaderValue {
        switch UnicodeScalar(field.kind) {
        case "t": .bool(field.value.boolean != 0)
        case "b": .int(Int64(field.value.i8))
        case "B": .int(Int64(field.value.u8))
        case "s": .int(Int64(field.value.i16))
        case "u": .int(Int64(field.value.u16))
        case "I": .int(Int64(field.value.i32))
        case "i": .int(Int64(field.value.u32))
        case "l", "L": .int(field.value.i64)
        case "T": .int(Int64(clamping: field.value.u64))
        case "S": .text(field.value.bytes.text)
        default: .other
        }
    }
}

/// Texts that come again and again (exchanges, routing keys, header names), made once: a text over 15 bytes is an
/// allocation.
struct NameCache {
    private var known: [(bytes: [UInt8], text: String)] = []
    private static let capacity = 48
    private static let longest = 64

    mutating func text(_ bytes: amqp_bytes_t) -> String {
        guard let start = bytes.bytes, bytes.len > 0 else { return "" }
        let wanted = UnsafeRawBufferPointer(start: start, count: bytes.len)
        // 15 bytes and less lie inside a String.
        guard bytes.len > 15, bytes.len <= Self.longest else { return bytes.text }
        for (index, entry) in known.enumerated() where entry.bytes.count == wanted.count {
            let isEqual = entry.bytes.withUnsafeBytes { known in
                guard let known = known.baseAddress else { return false }
                return memcmp(known, start, wanted.count) == 0
            }
            if isEqual {
                // The common ones drift to the front.
                if index > 0 { known.swapAt(index, index - 1) }
                return entry.text
            }
        }
        let text = bytes.text
        if known.count == Self.capacity { known.removeLast() }
        known.append((Array(wanted), text))
        return text
    }
}
