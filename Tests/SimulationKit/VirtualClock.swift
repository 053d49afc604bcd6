/// Time that only moves when nothing is left to do: it jumps to the next deadline. Milliseconds since 1970.
final class VirtualClock {
    /// Now.
    private(set) var now: Int64
    private var deadlines = DeadlineHeap()
    private var actions: [Action?] = []
    private var free: [Int] = []

    /// A closure in a value of its own, since an optional closure is wrapped in another one.
    private struct Action {
        let run: () -> Void
    }

    /// A clock that shows this.
    init(now: Int64) {
        self.now = now
    }

    /// The next moment at which something happens.
    var next: Int64? { deadlines.first?.at }

    /// Has `action` happen in `delay` ms.
    func after(_ delay: Int64, _ action: @escaping () -> Void) {
        let place: Int
        if let last = free.popLast() {
            place = last
            actions[place] = Action(run: action)
        } else {
            place = actions.count
            actions.append(Action(run: action))
        }
        deadlines.add(at: now + max(0, delay), action: place)
    }

    /// Jumps to the next deadline and does what is due.
    func step() {
        guard let first = deadlines.takeFirst() else { return }
        now = first.at
        let action = actions[first.action].take()
        free.append(first.action)
        action?.run()
    }
}

/// What is due when, the earliest first.
private struct DeadlineHeap {
    private var heap: [Deadline] = []
    private var made: UInt64 = 0

    struct Deadline {
        let at: Int64
        /// Deadlines of one moment keep their order.
        let order: UInt64
        let action: Int

        func precedes(_ other: Deadline) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    var first: Deadline? { heap.first }

    mutating func add(at: Int64, action: Int) {
        made += 1
        let new = Deadline(at: at, order: made, action: action)
        heap.append(new)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard new.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = new
    }

    mutating func takeFirst() -> Deadline? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        var parent = 0
        while true {
            var least = 2 * parent + 1
            guard least < heap.count else { break }
            if least + 1 < heap.count, heap[least + 1].precedes(heap[least]) { least += 1 }
            guard heap[least].precedes(last) else { break }
            heap[parent] = heap[least]
            parent = least
        }
        heap[parent] = last
        return first
    }
}
