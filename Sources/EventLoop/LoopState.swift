internal import CLinux

/// What a loop waits for and does in a turn. Only the loop's thread touches it.
final class LoopState {
    var ready = JobQueue()
    let timers = TimerHeap()
    private var epoll: Int32 = -1
    private var wakeDescriptor: Int32 = -1
    /// By descriptor; small numbers, so an array.
    private var watches: [Watch?] = []
    private var beforeWait: [TurnAction] = []
    private var onJump: [TurnAction] = []
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: LoopState.eventsAtOnce)
    private var eventCount = 0
    private let wallClock: () -> Int64
    private var lastWall: Int64

    private static let eventsAtOnce = 256
    /// A turn happens at least this often, so that a jump of the wall clock is seen within it.
    private static let longestWait: Int64 = 5_000_000_000
    /// Far over what a busy turn takes, far under any age rule.
    private static let jump: Int64 = 30_000

    init(wallClock: @escaping () -> Int64) {
        self.wallClock = wallClock
        lastWall = wallClock()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "cannot make an epoll descriptor: out of descriptors?")
    }

    deinit {
        if epoll >= 0 { CLinux.close(epoll) }
        events.deallocate()
    }

    var hasReadyJobs: Bool { !ready.isEmpty }

    func open(wakeDescriptor: Int32) {
        self.wakeDescriptor = wakeDescriptor
        _ = cl_epoll_set(epoll, EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue)
        lastWall = wallClock()
    }

    func close() {
        // Closures may hold what holds the loop: let go of all of them.
        watches.removeAll()
        beforeWait.removeAll()
        onJump.removeAll()
        timers.removeAll()
    }

    // MARK: Descriptors

    func watch(_ descriptor: Int32, for interest: Interest, onReady: @escaping (Interest) -> Void) -> Watch {
        let index = Int(descriptor)
        while watches.count <= index { watches.append(nil) }
        let watch = Watch(descriptor: descriptor, interest: interest, state: self, onReady: onReady)
        let known = watches[index] != nil
        watches[index] = watch
        _ = cl_epoll_set(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, interest.epollBits)
        return watch
    }

    func update(_ watch: Watch) {
        _ = cl_epoll_set(epoll, EPOLL_CTL_MOD, watch.descriptor, watch.interest.epollBits)
    }

    func remove(_ watch: Watch) {
        let index = Int(watch.descriptor)
        guard index < watches.count, watches[index] === watch else { return }
        watches[index] = nil
        // Fails harmlessly where the descriptor is closed already: epoll forgot it by itself.
        _ = cl_epoll_set(epoll, EPOLL_CTL_DEL, watch.descriptor, 0)
    }

    // MARK: A turn

    func addBeforeWait(_ action: @escaping () -> Void) -> TurnAction {
        let entry = TurnAction { _ in action() }
        beforeWait.append(entry)
        return entry
    }

    func addJumpAction(_ action: @escaping (Int64) -> Void) -> TurnAction {
        let entry = TurnAction(action)
        onJump.append(entry)
        return entry
    }

    func runBeforeWait() {
        run(&beforeWait, 0)
    }

    func wait(mayWait: Bool) {
        var timeout: Int64 = 0
        if mayWait {
            let untilTimer = timers.next.map { max(0, $0 - LoopClock.monotonic()) } ?? Self.longestWait
            timeout = min(untilTimer, Self.longestWait)
        }
        // Rounded up: a wait that ends a fraction early would spin.
        let milliseconds = Int32((timeout + 999_999) / 1_000_000)
        eventCount = max(0, Int(epoll_wait(epoll, events, Int32(Self.eventsAtOnce), milliseconds)))
    }

    func noticeWallClockJump() {
        let now = wallClock()
        let moved = now - lastWall
        lastWall = now
        if abs(moved) > Self.jump { run(&onJump, moved) }
    }

    func dispatchEvents() {
        for index in 0..<eventCount {
            let descriptor = cl_event_fd(events + index)
            if descriptor == wakeDescriptor {
                var count: eventfd_t = 0
                _ = eventfd_read(wakeDescriptor, &count)
            } else if Int(descriptor) < watches.count, let watch = watches[Int(descriptor)] {
                watch.onReady(Interest(epollBits: cl_event_bits(events + index)))
            }
        }
        eventCount = 0
    }

    func fireTimers() {
        timers.fire(upTo: LoopClock.monotonic())
    }

    private func run(_ actions: inout [TurnAction], _ argument: Int64) {
        if actions.contains(where: \.isCancelled) { actions.removeAll(where: \.isCancelled) }
        for action in actions where !action.isCancelled { action.action(argument) }
    }
}
