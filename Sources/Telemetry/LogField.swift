/// One named value of a log line. A value that is absent leaves the field out.
public struct LogField: Sendable {
    enum Value: Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)
        case time(Int64)
        case absent
    }

    let name: StaticString
    let value: Value

    private init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// A text; it is scrubbed before it is written.
    public static func text(_ name: StaticString, _ text: String?) -> LogField {
        LogField(name, text.map(Value.text) ?? .absent)
    }

    /// An integer. It is not scrubbed: a card number must never become one.
    public static func int(_ name: StaticString, _ number: Int64?) -> LogField {
        LogField(name, number.map(Value.integer) ?? .absent)
    }

    /// An integer. It is not scrubbed: a card number must never become one.
    public static func int(_ name: StaticString, _ number: Int) -> LogField {
        LogField(name, .integer(Int64(number)))
    }

    /// Any number.
    public static func number(_ name: StaticString, _ number: Double?) -> LogField {
        LogField(name, number.map(Value.number) ?? .absent)
    }

    /// `true` or `false`.
    public static func flag(_ name: StaticString, _ flag: Bool?) -> LogField {
        LogField(name, flag.map(Value.flag) ?? .absent)
    }

    /// An instant, milliseconds since 1970, written as RFC 3339.
    public static func time(_ name: StaticString, _ milliseconds: Int64?) -> LogField {
        LogField(name, milliseconds.map(Value.time) ?? .absent)
    }
}
