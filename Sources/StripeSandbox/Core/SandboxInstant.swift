/// The time of a request: what the sandbox knows of clocks is what it is told.
public struct SandboxInstant: Sendable, Equatable {
    /// Nanoseconds that never go back: for latency, rates and what is under way. Moving the sandbox's clock does not
    /// touch them.
    public var monotonic: Int64
    /// Milliseconds since 1970, before the sandbox's own clock is moved.
    public var wall: Int64

    /// An instant on both clocks.
    public init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// This long after it, on both.
    public func advanced(milliseconds: Int64) -> SandboxInstant {
        SandboxInstant(monotonic: monotonic + milliseconds * 1_000_000, wall: wall + milliseconds)
    }
}
