internal import CRabbitMQ

/// Headers as a table of the library's, for its blocking calls; holds the memory they point to.
final class ArgumentTable {
    private(set) var table = amqp_table_t()
    private var owned: [UnsafeMutableRawPointer] = []
    private var nested: [ArgumentTable] = []
    private let entries: UnsafeMutablePointer<amqp_table_entry_t>
    private let capacity: Int

    init(_ headers: [MessageHeader], capabilities: [String] = []) {
        capacity = headers.count + 1
        entries = .allocate(capacity: capacity)
        var count = 0
        for header in headers {
            entries[count] = amqp_table_entry_t(key: copy(header.name), value: value(header.value))
            count += 1
        }
        if !capabilities.isEmpty {
            let inner = ArgumentTable(capabilities.map { MessageHeader($0, .bool(true)) })
            nested.append(inner)
            var value = amqp_field_value_t()
            value.kind = UInt8(ascii: "F")
            value.value.table = inner.table
            entries[count] = amqp_table_entry_t(key: copy("capabilities"), value: value)
            count += 1
        }
        table = amqp_table_t(num_entries: Int32(count), entries: entries)
    }

    deinit {
        for pointer in owned { pointer.deallocate() }
        entries.deallocate()
    }

    private func value(_ value: HeaderValue) -> amqp_field_value_t {
        var field = amqp_field_value_t()
        switch value {
        case .int(let number):
            field.kind = UInt8(ascii: "l")
            field.value.i64 = number
        case .text(let text):
            field.kind = UInt8(ascii: "S")
            field.value.bytes = copy(text)
        case .bool(let flag):
            field.kind = UInt8(ascii: "t")
            field.value.boolean = flag ? 1 : 0
        case .other:
            field.kind = UInt8(ascii: "V")
        }
        return field
    }

    private func copy(_ text: String) -> amqp_bytes_t {
        let bytes = Array(text.utf8)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        owned.append(memory)
        return amqp_bytes_t(len: bytes.count, bytes: memory)
    }
}

/// Lends a text to one call of the library.
func withAMQPBytes<Result>(_ text: String, _ body: (amqp_bytes_t) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(amqp_bytes_t(len: $0.count, bytes: UnsafeMutableRawPointer(mutating: $0.baseAddress))) }
}

extension amqp_bytes_t {
    /// A copy as text; what is not UTF-8 is replaced.
    var text: String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : len), as: UTF8.self)
    }
}
