/// Time that only moves when nothing is left to do: it jumps to the next deadline. Milliseconds since 1970.
final class VirtualClock {
    /// Now.
    private(set) var now: Int64
    private var heap: [Deadline] = []
    private var actions: [(() -> Void)?] = []
    private var free: [Int] = []
    private var made: UInt64 = 0

    private struct Deadline {
        let at: Int64
        /// Deadlines of one moment keep their order.
        let order: UInt64
        let action: Int

        func precedes(_ other: Deadline) -> Bool { at == other.at ? order < other.order : at < other.at }
    }

    /// A clock that shows this.
    init(now: Int64) {
        self.now = now
    }

    /// The next moment at which something happens.
    var next: Int64? { heap.first?.at }

    /// Has `action` happen in `delay` ms.
    func after(_ delay: Int64, _ action: @escaping () -> Void) {
        let place: Int
        if let last = free.popLast() {
            place = last
            actions[place] = action
        } else {
            place = actions.count
            actions.append(action)
        }
        made += 1
        heap.append(Deadline(at: now + max(0, delay), order: made, action: place))
        rise(heap.count - 1)
    }

    /// Jumps to the next deadline and does what is due.
    func step() {
        guard let first = heap.first else { return }
        now = first.at
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink(0)
        }
        let action = actions[first.action]
        actions[first.action] = nil
        free.append(first.action)
        action?()
    }

    private func rise(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            let left = 2 * parent + 1
            if left < heap.count, heap[left].precedes(heap[least]) { least = left }
            if left + 1 < heap.count, heap[left + 1].precedes(heap[least]) { least = left + 1 }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
