import Foundation
import JSONText

/// A whole document in memory, so that two readers can be compared. The last of doubled names counts, as Foundation
/// has it.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// Reads with the reader under test, entering every container.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONTree {
        var reader = JSONReader(bytes)
        let tree = try read(&reader)
        try reader.end()
        return tree
    }

    private static func read(_ reader: inout JSONReader) throws(JSONError) -> JSONTree {
        switch try reader.peek() {
        case .null:
            guard try reader.null() else { throw JSONError(.outOfOrder, at: reader.offset) }
            return .null
        case .bool: return .bool(try reader.bool())
        case .string: return .string(try reader.string())
        case .number: return try readNumber(&reader)
        case .array:
            var elements: [JSONTree] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try read(&reader)) }
            return .array(elements)
        case .object:
            var members: [String: JSONTree] = [:]
            try reader.beginObject()
            while let name = try reader.nextName() { members[name.text] = try read(&reader) }
            return .object(members)
        }
    }

    private static func readNumber(_ reader: inout JSONReader) throws(JSONError) -> JSONTree {
        do {
            return .integer(try reader.integer())
        } catch  where error.code == .notAnInteger || error.code == .numberTooBig {
            do {
                return .number(try reader.double())
            } catch  where error.code == .numberTooBig {
                try reader.skip()
                return .number(.infinity)
            }
        }
    }

    /// Reads with Foundation.
    static func foundation(_ bytes: [UInt8]) -> JSONTree? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
            return nil
        }
        return convert(value)
    }

    private static func convert(_ value: Any) -> JSONTree {
        switch value {
        case let text as String: return .string(text)
        case let elements as [Any]: return .array(elements.map(convert))
        case let members as [String: Any]: return .object(members.mapValues(convert))
        case let number as NSNumber:
            if String(cString: number.objCType) == "c" { return .bool(number.boolValue) }
            if let integer = Int64(number.stringValue) { return .integer(integer) }
            return .number(number.doubleValue)
        default: return .null
        }
    }

    /// Whether there is a number that no Double holds.
    var hasHugeNumber: Bool {
        switch self {
        case .number(let number): number.isInfinite
        case .array(let elements): elements.contains { $0.hasHugeNumber }
        case .object(let members): members.values.contains { $0.hasHugeNumber }
        default: false
        }
    }

    /// Equal, with `1` the same as `1.0`, and the last bits of a number left open: Foundation takes long ones as
    /// NSDecimalNumber, whose Double is not the nearest.
    func agrees(with other: JSONTree) -> Bool {
        switch (self, other) {
        case (.array(let ours), .array(let theirs)):
            ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.agrees(with: $1) }
        case (.object(let ours), .object(let theirs)):
            ours.count == theirs.count && ours.allSatisfy { name, tree in theirs[name].map(tree.agrees) ?? false }
        case (.integer(let ours), .integer(let theirs)): ours == theirs
        case (.integer(let ours), .number(let theirs)): Self.near(Double(ours), theirs)
        case (.number(let ours), .integer(let theirs)): Self.near(ours, Double(theirs))
        case (.number(let ours), .number(let theirs)): Self.near(ours, theirs)
        default: self == other
        }
    }

    private static func near(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= 1e-12 * max(abs(one), abs(other))
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.value(flag)
        case .integer(let number): json.value(number)
        case .number(let number): json.value(number)
        case .string(let text): json.value(text)
        case .array(let elements):
            json.beginArray()
            for element in elements { element.write(to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for (name, tree) in members {
                json.name(string: name)
                tree.write(to: &json)
            }
            json.endObject()
        }
    }
}
