/// A timer that can be armed again and again without allocating.
public final class LoopTimer {
    fileprivate(set) var deadline: Int64 = 0
    /// Its place in the heap; -1 when not armed.
    fileprivate var index = -1
    private let heap: TimerHeap
    fileprivate let action: () -> Void

    init(heap: TimerHeap, action: @escaping () -> Void) {
        self.heap = heap
        self.action = action
    }

    /// Whether it will fire.
    public var isArmed: Bool { index >= 0 }

    /// Comes due at `monotonic` nanoseconds of `LoopClock`; an earlier arming is forgotten.
    public func arm(at monotonic: Int64) {
        heap.arm(self, at: monotonic)
    }

    /// Comes due this many nanoseconds from now.
    public func arm(after nanoseconds: Int64) {
        heap.arm(self, at: LoopClock.monotonic() + nanoseconds)
    }

    /// Takes it back; harmless when it is not armed.
    public func disarm() {
        heap.remove(self)
    }
}

/// Timers by deadline: a binary heap whose members know their place, so that re-arming is cheap.
final class TimerHeap {
    private var heap: [LoopTimer] = []

    var next: Int64? { heap.first?.deadline }

    func once(at deadline: Int64, _ action: @escaping () -> Void) {
        arm(LoopTimer(heap: self, action: action), at: deadline)
    }

    func arm(_ timer: LoopTimer, at deadline: Int64) {
        let earlier = timer.isArmed && deadline < timer.deadline
        timer.deadline = deadline
        if timer.isArmed {
            if earlier { rise(timer.index) } else { sink(timer.index) }
        } else {
            timer.index = heap.count
            heap.append(timer)
            rise(timer.index)
        }
    }

    func remove(_ timer: LoopTimer) {
        let hole = timer.index
        guard hole >= 0, let last = heap.popLast() else { return }
        timer.index = -1
        guard last !== timer else { return }
        heap[hole] = last
        last.index = hole
        rise(hole)
        sink(last.index)
    }

    /// Calls the timers due by `now`, earliest first; those armed meanwhile wait for the next turn, whatever their
    /// deadline.
    func fire(upTo now: Int64) {
        var due: [LoopTimer] = []
        while let first = heap.first, first.deadline <= now {
            remove(first)
            due.append(first)
        }
        for timer in due where !timer.isArmed { timer.action() }
    }

    func removeAll() {
        for timer in heap { timer.index = -1 }
        heap.removeAll()
    }

    private func rise(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].deadline < heap[parent].deadline else { return }
            swap(index, parent)
            index = parent
        }
    }

    private func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            guard least != index else { return }
            swap(index, least)
            index = least
        }
    }

    private func swap(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        heap[a].index = a
        heap[b].index = b
    }
}
