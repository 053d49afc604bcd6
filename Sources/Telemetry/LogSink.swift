/// Where finished lines go.
public protocol LogSink: AnyObject {
    /// Takes one line, without its newline.
    func take(_ line: [UInt8], level: LogLevel)

    /// Passes on what is gathered, as far as that needs no waiting.
    func flush()

    /// Passes on what is gathered and waits for it, a second at most: for the end of a process.
    func drain()

    /// How many lines had to be dropped since this was last asked, once there is room to say so.
    func takeLost() -> Int
}

/// Keeps lines in memory, for tests.
public final class LogCapture: LogSink {
    /// The lines so far.
    public private(set) var lines: [String] = []

    /// An empty capture.
    public init() {}

    /// Keeps the line.
    public func take(_ line: [UInt8], level: LogLevel) { lines.append(String(decoding: line, as: UTF8.self)) }

    /// Nothing is gathered.
    public func flush() {}

    /// Nothing is gathered.
    public func drain() {}

    /// Nothing is ever lost.
    public func takeLost() -> Int { 0 }
}
