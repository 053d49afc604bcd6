/// Answers by idempotency key (Stripe docs: idempotent requests, low-level errors).
///
/// Kept is the answer of the first request whose execution began, whatever it was; a key is forgotten 24 hours after
/// its first use, and then executes anew.
struct IdempotencyStore {
    /// A key, within its account and mode.
    struct Name: Hashable {
        let scope: Int
        let key: String
    }

    /// What is compared: a key belongs to one call with one set of parameters.
    struct Print: Equatable {
        let call: UInt64
        let parameters: UInt64
    }

    struct Entry {
        let print: Print
        /// The request that executed.
        let request: Int
        /// Milliseconds since 1970 on the sandbox's clock.
        let firstUsed: Int64
        /// Monotonic nanoseconds until which the first answer is on its way.
        let busyUntil: Int64
        let answer: Answer
    }

    enum Finding {
        case absent
        case busy
        case otherCall
        case otherParameters
        case saved(Entry)
    }

    /// Milliseconds; Stripe may forget a key once it is this old.
    static let keptFor: Int64 = 86_400_000

    private var entries: [Name: Entry] = [:]
    /// By first use, oldest first.
    private var order: [(name: Name, firstUsed: Int64)] = []
    private var oldest = 0

    var count: Int { entries.count }

    func find(_ name: Name, _ print: Print, monotonic: Int64) -> Finding {
        guard let entry = entries[name] else { return .absent }
        if entry.busyUntil > monotonic { return .busy }
        if entry.print.call != print.call { return .otherCall }
        if entry.print.parameters != print.parameters { return .otherParameters }
        return .saved(entry)
    }

    mutating func save(_ name: Name, _ entry: Entry) {
        entries[name] = entry
        order.append((name, entry.firstUsed))
    }

    /// Forgets what is too old by the sandbox's clock.
    mutating func forget(now: Int64) {
        while oldest < order.count, order[oldest].firstUsed + Self.keptFor <= now {
            let (name, firstUsed) = order[oldest]
            if entries[name]?.firstUsed == firstUsed { entries[name] = nil }
            oldest += 1
        }
        if oldest > 4_096, oldest * 2 > order.count {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
