internal import JSONText

/// The log of one role: JSON lines, or text where a person looks. It belongs to one actor or to the main program, and
/// is not to be shared.
///
///     log.info("charge", .text("id", id), .int("attempts", 1))
public final class Log {
    /// The form of a line.
    public enum Format: Sendable {
        /// `{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"charge","id":"order-1001"}`
        case json
        /// `03:04:05.678 info    charge id=order-1001`
        case text
    }

    /// The least important level that is written; it may be changed while the process runs.
    public var level: LogLevel

    private let format: Format
    private let context: [LogField]
    private let sink: any LogSink
    private let now: () -> Int64
    private var json = JSONWriter(reserving: 1024)
    private var text: [UInt8] = []

    /// A log into a sink.
    ///
    /// - Parameters:
    ///   - context: fields of every line, such as the role.
    ///   - now: milliseconds since 1970.
    public init(
        level: LogLevel, format: Format, sink: any LogSink, context: [LogField] = [], now: @escaping () -> Int64
    ) {
        self.level = level
        self.format = format
        self.context = context
        self.sink = sink
        self.now = now
    }

    /// A log on standard error: text if that is a terminal, else JSON lines.
    ///
    /// - Parameter gathers: whether lines wait for `flush()`; a loop calls it before each of its waits.
    public static func standardError(
        level: LogLevel, gathers: Bool, context: [LogField] = [], now: @escaping () -> Int64
    ) -> Log {
        let isTerminal = DescriptorSink.isTerminal()
        return Log(
            level: level, format: isTerminal ? .text : .json, sink: DescriptorSink(gathers: gathers && !isTerminal),
            context: context, now: now)
    }

    /// Whether a line of this level would be written; to ask before costly fields are made.
    public func writes(_ level: LogLevel) -> Bool { level >= self.level }

    /// A line for who looks for a fault.
    public func debug(_ event: StaticString, _ fields: LogField...) { write(.debug, event, fields) }

    /// A line for an outcome, or for what the process does.
    public func info(_ event: StaticString, _ fields: LogField...) { write(.info, event, fields) }

    /// A line for what may need a person later.
    public func warning(_ event: StaticString, _ fields: LogField...) { write(.warning, event, fields) }

    /// A line for what needs a person.
    public func error(_ event: StaticString, _ fields: LogField...) { write(.error, event, fields) }

    /// A line of any level, if that level is written.
    public func write(_ level: LogLevel, _ event: StaticString, _ fields: [LogField]) {
        guard level >= self.level else { return }
        let lost = sink.takeLost()
        if lost > 0 { emit(.warning, "log_lines_lost", [.int("lines", lost)]) }
        emit(level, event, fields)
    }

    /// Passes on what is gathered, without waiting.
    public func flush() { sink.flush() }

    /// Passes on what is gathered and waits for it, a second at most: the last call before a process ends.
    public func drain() { sink.drain() }

    private func emit(_ level: LogLevel, _ event: StaticString, _ fields: [LogField]) {
        switch format {
        case .json:
            json.reset()
            LogLine.json(&json, now(), level, event, context, fields)
            sink.take(json.written, level: level)
        case .text:
            text.removeAll(keepingCapacity: true)
            LogLine.text(&text, now(), level, event, context, fields)
            sink.take(text, level: level)
        }
    }
}
