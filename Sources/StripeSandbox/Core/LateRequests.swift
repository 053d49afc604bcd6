internal import Settings

/// Requests that stand in a queue of Stripe's and are executed later, whether or not their client still waits.
///
/// Nobody can look into the sandbox but by a request, so it is enough to execute what is due before each of them.
struct LateRequests {
    /// By the time at which they are due, the earliest last.
    private var waiting: [(visit: Visit, due: Int64)] = []

    var count: Int { waiting.count }

    mutating func add(_ visit: Visit, after delay: TimeSpan) {
        let due = visit.now + delay.milliseconds
        let place = waiting.firstIndex { $0.due <= due } ?? waiting.endIndex
        waiting.insert((visit, due), at: place)
    }

    /// Takes out the earliest that is due, with the moment (ms since 1970, on the sandbox's clock) of its execution.
    mutating func next(now: Int64) -> (visit: Visit, due: Int64)? {
        guard let last = waiting.last, last.due <= now else { return nil }
        return waiting.removeLast()
    }
}
