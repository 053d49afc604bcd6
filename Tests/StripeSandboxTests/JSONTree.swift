import JSONText

/// A JSON value to look into.
indirect enum JSONTree: Equatable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    init(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes, limits: JSONLimits(bytes: 1 << 26))
        self = try Self.value(&reader)
        try reader.end()
    }

    private static func value(_ reader: inout JSONReader) throws -> JSONTree {
        switch try reader.peek() {
        case .object:
            var members: [String: JSONTree] = [:]
            try reader.beginObject()
            while let name = try reader.nextName() { members[name.text] = try value(&reader) }
            return .object(members)
        case .array:
            var elements: [JSONTree] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try value(&reader)) }
            return .array(elements)
        case .string: return .text(try reader.string())
        case .number: return .number(try reader.double())
        case .bool: return .flag(try reader.bool())
        case .null:
            _ = try reader.null()
            return .null
        }
    }

    /// `error.payment_intent.status`, `data.0.id`: a scalar as text; nil where it is null or absent.
    subscript(_ path: String) -> String? {
        switch find(path) {
        case .text(let text): text
        case .number(let number): number == number.rounded() ? String(Int64(number)) : String(number)
        case .flag(let flag): String(flag)
        default: nil
        }
    }

    /// The value at a path; nil where it is absent.
    func find(_ path: String) -> JSONTree? {
        var here = self
        for step in path.split(separator: ".") {
            switch here {
            case .object(let members):
                guard let next = members[String(step)] else { return nil }
                here = next
            case .array(let elements):
                guard let index = Int(step), index < elements.count else { return nil }
                here = elements[index]
            default: return nil
            }
        }
        return here
    }

    /// The elements of the array at a path.
    func elements(_ path: String) -> [JSONTree] {
        if case .array(let elements)? = find(path) { elements } else { [] }
    }
}
