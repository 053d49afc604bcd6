/// How long to hold back after the broker refused a publish: 250 ms, doubling to 5 s, until one is taken again.
struct SendPause: Sendable, Equatable {
    /// When to go on, ns of the monotonic clock; nil for no pause.
    private(set) var until: Int64?
    /// Why, for people.
    private(set) var reason: String?
    private var next = SendPause.shortest

    private static let shortest: Int64 = 250_000_000
    private static let longest: Int64 = 5_000_000_000

    /// Notes a refusal; of many at once the first counts.
    mutating func refused(_ reason: String, now: Int64) {
        self.reason = reason
        if let until, now < until { return }
        until = now + next
        next = min(Self.longest, next * 2)
    }

    /// Notes that a publish was taken.
    mutating func worked() {
        guard reason != nil else { return }
        self = SendPause()
    }
}
