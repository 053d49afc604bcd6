internal import CLinux

/// The machine's clocks, read directly: the one place that does so.
public enum LoopClock {
    /// Nanoseconds since boot; never goes back. For waits and durations.
    public static func monotonic() -> Int64 { cl_nanoseconds(CLOCK_MONOTONIC) }

    /// Milliseconds since 1970. For ages that outlive the process.
    public static func wall() -> Int64 { cl_nanoseconds(CLOCK_REALTIME) / 1_000_000 }
}
