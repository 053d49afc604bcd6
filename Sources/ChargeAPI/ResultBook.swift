internal import Charging

/// The latest that this API has seen of each charge, of the last so many charges.
struct ResultBook {
    /// What is known of a charge.
    struct Entry {
        /// Nil as long as it was only queued here.
        var status: ChargeStatus?
        /// The result as it came; empty as long as there is none.
        var body: [UInt8]
        var event: String
        var lane: String
        /// Milliseconds since 1970.
        var acceptedAt: Int64?

        var rank: Int { status?.sequence ?? -1 }
    }

    /// What a result was to the book.
    enum Reception: Equatable {
        /// It says more than was known.
        case news
        /// It was known, or says less than what is.
        case known
        /// It contradicts a final result: an alarm.
        case contradiction
    }

    private let capacity: Int
    private var entries: [ChargeID: Entry] = [:]
    /// In the order they were first seen; `oldest` is the place of the next to go.
    private var order: [ChargeID] = []
    private var oldest = 0

    init(capacity: Int = 100_000) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    subscript(id: ChargeID) -> Entry? { entries[id] }

    /// Notes that a charge was queued here; what is known of it already stays.
    mutating func queued(_ id: ChargeID, lane: String, acceptedAt: Int64) {
        guard entries[id] == nil else { return }
        insert(id, Entry(status: nil, body: [], event: "", lane: lane, acceptedAt: acceptedAt))
    }

    /// Notes a result by its rank: the highest stays, and of equals the first.
    mutating func note(_ result: ChargeResult, body: [UInt8]) -> Reception {
        let entry = Entry(
            status: result.status, body: body, event: result.event, lane: result.lane, acceptedAt: result.acceptedAt)
        guard let known = entries[result.id] else {
            insert(result.id, entry)
            return .news
        }
        if entry.rank > known.rank {
            entries[result.id] = entry
            return .news
        }
        let contradicts = entry.rank == known.rank && result.isFinal && result.status != known.status
        return contradicts ? .contradiction : .known
    }

    private mutating func insert(_ id: ChargeID, _ entry: Entry) {
        entries[id] = entry
        if order.count < capacity {
            order.append(id)
        } else {
            entries[order[oldest]] = nil
            order[oldest] = id
            oldest = (oldest + 1) % capacity
        }
    }
}
