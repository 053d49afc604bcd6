/// Deliveries that wait for a slot in the process: at most a prefetch of each queue.
///
/// Lanes take turns. Within a lane, charges coming back go first, with at most half of the slots: else a retry of a
/// second would wait behind the backlog, and a flood of retries would keep new charges out. A suspect goes alone, when
/// nothing else is in flight.
struct LaneQueues<Item> {
    /// Which queue of a lane.
    enum Kind: Int {
        case again = 0
        case new = 1
    }

    /// An item and what must be given back when it is done.
    struct Started {
        let item: Item
        let kind: Kind
        let isSuspect: Bool
    }

    private struct Lane {
        var waiting: [Ring<Item>] = [Ring(), Ring()]
    }

    private var lanes: [Lane]
    private var suspects = Ring<(item: Item, kind: Kind)>()
    private var turn = 0
    private(set) var inFlight = 0
    private var againInFlight = 0
    private var suspectInFlight = false

    init(laneCount: Int) {
        lanes = Array(repeating: Lane(), count: laneCount)
    }

    /// Whether one is alone in the process, or waits to be.
    var hasSuspect: Bool { suspectInFlight || !suspects.isEmpty }

    /// How many wait.
    var waitingCount: Int {
        suspects.count + lanes.reduce(0) { $0 + $1.waiting[0].count + $1.waiting[1].count }
    }

    mutating func add(_ item: Item, lane: Int, kind: Kind, isSuspect: Bool) {
        if isSuspect {
            suspects.append((item, kind))
        } else {
            lanes[lane].waiting[kind.rawValue].append(item)
        }
    }

    /// The next item to start with this many slots in all; nil when none may start.
    mutating func next(slots: Int) -> Started? {
        guard inFlight < slots, !suspectInFlight else { return nil }
        if !suspects.isEmpty {
            // Nothing new starts until the process is empty and the suspect has had it to itself.
            guard inFlight == 0, let suspect = suspects.popFirst() else { return nil }
            suspectInFlight = true
            return start(suspect.item, suspect.kind, isSuspect: true)
        }
        for step in 0..<lanes.count {
            let index = (turn + step) % lanes.count
            for kind in [Kind.again, .new] {
                // The last free half is for new charges, unless there are none at all.
                if kind == .again, againInFlight >= max(1, slots / 2), hasNew { continue }
                guard let item = lanes[index].waiting[kind.rawValue].popFirst() else { continue }
                turn = (index + 1) % lanes.count
                return start(item, kind, isSuspect: false)
            }
        }
        return nil
    }

    /// A started item is done: its slot is free.
    mutating func finish(_ started: (kind: Kind, isSuspect: Bool)) {
        inFlight -= 1
        if started.kind == .again { againInFlight -= 1 }
        if started.isSuspect { suspectInFlight = false }
    }

    /// Takes out all that wait, to be given back or forgotten.
    mutating func takeAll() -> [Item] {
        var all: [Item] = []
        while let suspect = suspects.popFirst() { all.append(suspect.item) }
        all += takeUnsuspected()
        return all
    }

    /// Takes out all that wait but the first suspect.
    mutating func takeAllButOneSuspect() -> [Item] {
        guard let first = suspects.popFirst() else { return takeAll() }
        let rest = takeAll()
        suspects.append(first)
        return rest
    }

    /// Forgets those that fit no longer.
    mutating func keep(where fits: (Item) -> Bool) {
        suspects.keep { fits($0.item) }
        for index in lanes.indices {
            for kind in lanes[index].waiting.indices { lanes[index].waiting[kind].keep(where: fits) }
        }
    }

    private mutating func takeUnsuspected() -> [Item] {
        var all: [Item] = []
        for index in lanes.indices {
            for kind in lanes[index].waiting.indices {
                while let item = lanes[index].waiting[kind].popFirst() { all.append(item) }
            }
        }
        return all
    }

    private var hasNew: Bool { lanes.contains { !$0.waiting[Kind.new.rawValue].isEmpty } }

    private mutating func start(_ item: Item, _ kind: Kind, isSuspect: Bool) -> Started {
        inFlight += 1
        if kind == .again { againInFlight += 1 }
        return Started(item: item, kind: kind, isSuspect: isSuspect)
    }
}

/// A queue whose first element can be taken without moving the rest.
struct Ring<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func keep(where fits: (Element) -> Bool) {
        elements = elements[head...].compactMap(\.self).filter(fits)
        head = 0
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }
}
