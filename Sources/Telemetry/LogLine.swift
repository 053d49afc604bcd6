internal import JSONText

/// Makes one line, in either form. Texts pass the scrubber here and nowhere else, so that none can avoid it.
enum LogLine {
    static func json(
        _ json: inout JSONWriter, _ time: Int64, _ level: LogLevel, _ event: StaticString, _ context: [LogField],
        _ fields: [LogField]
    ) {
        json.beginObject()
        json.field("time", time: time)
        json.field("level", level.rawValue)
        json.name("event")
        json.value(event.description)
        for field in context { append(field, to: &json) }
        for field in fields { append(field, to: &json) }
        json.endObject()
    }

    private static func append(_ field: LogField, to json: inout JSONWriter) {
        let name = field.name
        switch field.value {
        case .text(let text): json.field(name, Scrubber.scrub(text))
        case .integer(let number): json.field(name, number)
        case .number(let number): json.field(name, number)
        case .flag(let flag): json.field(name, flag)
        case .time(let milliseconds): json.field(name, time: milliseconds)
        case .absent: break
        }
    }

    static func text(
        _ line: inout [UInt8], _ time: Int64, _ level: LogLevel, _ event: StaticString, _ context: [LogField],
        _ fields: [LogField]
    ) {
        // The date is left out: who looks at a terminal knows it.
        line += RFC3339.text(milliseconds: time).utf8.dropFirst(11).dropLast()
        line += " \(level.rawValue)".utf8
        line += repeatElement(UInt8(ascii: " "), count: 8 - level.rawValue.utf8.count)
        line += event.description.utf8
        for field in context + fields {
            guard let value = shown(field.value) else { continue }
            line += " \(field.name)=".utf8
            line += value.utf8
        }
    }

    private static func shown(_ value: LogField.Value) -> String? {
        switch value {
        case .text(let text): word(Scrubber.scrub(text))
        case .integer(let number): String(number)
        case .number(let number): number.description
        case .flag(let flag): flag ? "true" : "false"
        case .time(let milliseconds): RFC3339.text(milliseconds: milliseconds)
        case .absent: nil
        }
    }

    /// A text that is one plain word as it is, any other in quotes.
    private static func word(_ text: String) -> String {
        let isWord = text.unicodeScalars.allSatisfy { isPlain($0) && $0 != " " && $0 != "=" }
        guard text.isEmpty || !isWord else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if isPlain(scalar) {
                quoted.unicodeScalars.append(scalar)
            } else {
                quoted += scalar.escaped(asASCII: true)
            }
        }
        return quoted + "\""
    }

    /// Whether a character only shows itself: what a stranger wrote must not move the cursor, make a second line or
    /// turn the direction of writing.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: scalar != "\"" && scalar != "\\"
        }
    }
}
