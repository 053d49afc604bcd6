/// A member in one call. An absent value is written as `null`; `fieldIfPresent` leaves the member out instead.
extension JSONWriter {
    /// A member that is a string, or `null`.
    public mutating func field(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { value(text) } else { null() }
    }

    /// A member that is an integer, or `null`.
    public mutating func field(_ name: StaticString, _ number: Int64?) {
        self.name(name)
        if let number { value(number) } else { null() }
    }

    /// A member that is an integer, or `null`.
    public mutating func field(_ name: StaticString, _ number: Int?) {
        field(name, number.map { Int64($0) })
    }

    /// A member that is `true` or `false`, or `null`.
    public mutating func field(_ name: StaticString, _ flag: Bool?) {
        self.name(name)
        if let flag { value(flag) } else { null() }
    }

    /// A member that is any number, or `null`.
    public mutating func field(_ name: StaticString, _ number: Double?) {
        self.name(name)
        if let number { value(number) } else { null() }
    }

    /// A member that is an instant, milliseconds since 1970, or `null`.
    public mutating func field(_ name: StaticString, time milliseconds: Int64?) {
        self.name(name)
        if let milliseconds { value(time: milliseconds) } else { null() }
    }

    /// A member that is JSON already; the caller vouches for it.
    public mutating func field(_ name: StaticString, raw json: [UInt8]) {
        self.name(name)
        raw(json)
    }

    /// A member that is an object of strings, its names in ascending order so that equal contents are equal bytes.
    public mutating func field(_ name: StaticString, sorted texts: [String: String]) {
        self.name(name)
        beginObject()
        for (key, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            self.name(string: key)
            value(text)
        }
        endObject()
    }

    /// A member that is a string, left out when there is none.
    public mutating func fieldIfPresent(_ name: StaticString, _ text: String?) {
        if let text { field(name, text) }
    }

    /// A member that is an integer, left out when there is none.
    public mutating func fieldIfPresent(_ name: StaticString, _ number: Int64?) {
        if let number { field(name, number) }
    }

    /// A member that is `true` or `false`, left out when there is none.
    public mutating func fieldIfPresent(_ name: StaticString, _ flag: Bool?) {
        if let flag { field(name, flag) }
    }
}
