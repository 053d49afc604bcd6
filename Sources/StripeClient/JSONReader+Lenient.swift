internal import JSONText

/// Reading of fields that may be null, absent, or of a kind this version of the API does not have: such a field is no
/// reason to call an answer unreadable.
extension JSONReader {
    /// A string; nil for anything else.
    mutating func stringOrNil() throws(JSONError) -> String? {
        guard try peek() == .string else {
            try skip()
            return nil
        }
        return try string()
    }

    /// An integer; nil for what is no number. A number that is no plain integer is an error: it would be an amount.
    mutating func integerOrNil() throws(JSONError) -> Int64? {
        guard try peek() == .number else {
            try skip()
            return nil
        }
        return try integer()
    }

    /// A boolean; nil for anything else.
    mutating func boolOrNil() throws(JSONError) -> Bool? {
        guard try peek() == .bool else {
            try skip()
            return nil
        }
        return try bool()
    }

    /// An id: the field itself, or the `id` of the object in its place where it is expanded.
    mutating func idOrNil() throws(JSONError) -> String? {
        guard try peek() == .object else { return try stringOrNil() }
        var id: String?
        try beginObject()
        while let name = try nextName() {
            if name.matches("id") { id = try stringOrNil() } else { try skip() }
        }
        return id
    }

    /// Enters an object if one is next; passes anything else.
    mutating func entersObject() throws(JSONError) -> Bool {
        guard try peek() == .object else {
            try skip()
            return false
        }
        try beginObject()
        return true
    }
}
