/// A length of time, as settings write it: `250ms`, `5s`, `2m`, `1h`.
public struct TimeSpan: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The length in milliseconds; never below zero.
    public let milliseconds: Int64

    /// A length in milliseconds; below zero counts as zero.
    public init(milliseconds: Int64) { self.milliseconds = max(0, milliseconds) }

    /// A length in seconds.
    public static func seconds(_ seconds: Int64) -> TimeSpan { TimeSpan(milliseconds: seconds * 1000) }

    /// A length in minutes.
    public static func minutes(_ minutes: Int64) -> TimeSpan { .seconds(minutes * 60) }

    /// A length in hours.
    public static func hours(_ hours: Int64) -> TimeSpan { .seconds(hours * 3600) }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// A whole number and one of the units `ms`, `s`, `m`, `h`; nil for anything else. A unit is required: `30` could
    /// be meant either way.
    public init?(_ text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let unitName = String(text.dropFirst(digits.count))
        guard let unit = Self.units.first(where: { $0.name == unitName }),
            (1...12).contains(digits.count), let number = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        milliseconds = product
    }

    /// The shortest exact text: `2m` for 120 s, `90s` for 90 s, `0s` for nothing.
    public var description: String {
        guard milliseconds > 0 else { return "0s" }
        for unit in Self.units where milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }

    /// Shorter before longer.
    public static func < (one: TimeSpan, other: TimeSpan) -> Bool { one.milliseconds < other.milliseconds }
}
