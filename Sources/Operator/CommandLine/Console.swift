internal import CLinux
internal import Telemetry

/// Where a command writes: results on standard output, everything else on standard error.
public struct Console: Sendable {
    /// Standard output.
    public let output: Int32
    /// Standard error.
    public let errors: Int32
    /// Whether colours and moving lines may be used on standard error.
    public let errorsAreTerminal: Bool
    /// Whether standard output may have colours: a terminal, and `NO_COLOR` (no-color.org) is not set.
    public let hasColors: Bool

    /// The console of this process.
    public init(environment: [String: String], output: Int32 = 1, errors: Int32 = 2) {
        self.output = output
        self.errors = errors
        let isDumb = environment["TERM"] == "dumb"
        errorsAreTerminal = isatty(errors) == 1 && !isDumb
        hasColors = isatty(output) == 1 && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Writes a line to standard output.
    ///
    /// - Returns: false when nobody reads it any more.
    @discardableResult
    public func print(_ line: String) -> Bool { Self.write(line + "\n", to: output) }

    /// Writes text to standard output as it is.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool { Self.write(bytes, to: output) }

    /// Writes a line to standard error.
    public func note(_ line: String) { _ = Self.write(line + "\n", to: errors) }

    /// Writes what went wrong, with the program's name before it, as compilers do. What was typed in a wrong place is
    /// repeated in such lines, so keys and card numbers are taken out.
    public func complain(_ line: String) { note(Scrubber.scrub("chargeline: \(line)")) }

    /// How many columns standard error has.
    public var width: Int {
        let columns = Int(cl_terminal_columns(errors))
        return columns > 0 ? columns : 80
    }

    static func write(_ text: String, to descriptor: Int32) -> Bool {
        write(Array(text.utf8), to: descriptor)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { CLinux.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                left = left.dropFirst(count)
                continue
            }
            switch cl_errno() {
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            default: return false
            }
        }
        return true
    }
}
