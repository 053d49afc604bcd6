/// The decoded parameters of one request, in the order they came: names in one spelling, `metadata[order]`,
/// `expand[0]`.
struct FormFields: Sendable, Equatable {
    /// One parameter.
    struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    private(set) var fields: [Field] = []

    /// The value of a name, as it came; nil when it is absent.
    subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Adds a parameter; a name given twice keeps its last value, as Rack's parser does.
    mutating func set(_ name: String, _ value: String) {
        if let known = fields.firstIndex(where: { $0.name == name }) {
            fields[known] = Field(name: name, value: value)
        } else {
            fields.append(Field(name: name, value: value))
        }
    }

    /// Members of a hash parameter: `metadata[order]=7` is `order`, `7`.
    func members(of parent: String) -> [Field] {
        fields.compactMap { field in
            guard field.name.utf8.count > parent.utf8.count + 2, field.name.hasPrefix(parent) else { return nil }
            let rest = field.name.utf8.dropFirst(parent.utf8.count)
            guard rest.first == UInt8(ascii: "["), rest.last == UInt8(ascii: "]") else { return nil }
            let inner = String(Substring(rest.dropFirst().dropLast()))
            return Field(name: inner, value: field.value)
        }
    }

    /// Elements of a list parameter, `expand[0]`, `expand[1]`, in the order they came.
    func list(_ parent: String) -> [String] {
        members(of: parent).map(\.value)
    }

    /// Whether the parameter, or anything inside it, was sent.
    func mentions(_ parent: String) -> Bool {
        fields.contains { field in
            guard field.name.hasPrefix(parent) else { return false }
            let rest = field.name.utf8.dropFirst(parent.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: "[")
        }
    }

    /// A number that two parameter sets share when they hold the same names and values, in whatever order.
    var fingerprint: UInt64 {
        var sum: UInt64 = 0
        for field in fields {
            var hasher = Hasher()
            hasher.combine(field.name)
            hasher.combine(field.value)
            sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return sum
    }
}
