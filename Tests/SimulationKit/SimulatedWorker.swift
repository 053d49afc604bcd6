import Charging

/// A worker process: a channel, slots, a clock of its own, a plain breaker; it dies, freezes, drains and comes back.
final class SimulatedWorker {
    unowned(unsafe) let world: World
    let number: Int
    /// How far its clock is from the true time, ms.
    let skew: Int64
    private let slots: Int
    private let prefetch: Int
    private(set) var flow: Flow
    /// Visits under way.
    private(set) var desks: [VisitDesk] = []
    /// Delivered and not begun.
    private var buffer: [OpenDelivery] = []

    /// The channel that it consumes on, as the broker knows it.
    private(set) var consuming: Int?
    /// The channel that it believes to be open: it learns of a loss a little later.
    private(set) var believed: Int?
    private(set) var isAlive = false
    private(set) var isFrozen = false
    private var frozenAt: Int64 = 0
    private var held: [(VisitDesk, Int)] = []
    private var isDraining = false
    /// Counts its lives.
    private var life = 0

    private var failures = 0
    private var stoppedUntil: Int64 = 0
    /// After a stop one charge at a time, until Stripe answers.
    private var isTrying = false

    init(world: World, number: Int) {
        self.world = world
        self.number = number
        skew = world.random.between(-world.weather.skew, world.weather.skew)
        slots = world.weather.slots
        prefetch = slots + world.random.below(5)
        flow = world.flow
    }

    /// How many more deliveries it takes now.
    var wants: Int {
        guard consuming != nil, consuming == believed, !isFrozen, !isDraining, world.now >= stoppedUntil else {
            return 0
        }
        return (isTrying ? 1 : prefetch) - desks.count - buffer.count
    }

    var clock: Int64 { world.now + skew }
    var isStopped: Bool { isDraining || world.now < stoppedUntil }

    // MARK: Life

    func start() {
        life += 1
        isAlive = true
        isDraining = false
        failures = 0
        isTrying = false
        stoppedUntil = 0
        if world.weather.mixedFlows { flow = world.random.one(of: Flow.allCases) }
        connect()
    }

    /// All that it was doing stops where it stands.
    func crash(_ why: String) {
        guard isAlive else { return }
        world.story.tell(world.now, worker: number, .crashed, why)
        isAlive = false
        isFrozen = false
        held = []
        buffer = []
        let dead = desks
        desks = []
        for desk in dead { desk.die() }
        believed = nil
        if let epoch = consuming {
            consuming = nil
            world.broker.close(epoch)
        }
        guard !world.isOver else { return }
        world.clock.after(world.random.between(500, 30_000)) { [unowned(unsafe) self] in
            guard !isAlive else { return }
            world.story.tell(world.now, worker: number, .restarted, "starts again")
            start()
        }
    }

    /// SIGSTOP, a laptop's lid, a host that is moved: the world goes on, it does not.
    func freeze(for length: Int64) {
        guard isAlive, !isFrozen else { return }
        world.story.tell(world.now, worker: number, .froze, detail: length, "freezes for \(length / 1000) s")
        isFrozen = true
        frozenAt = world.now
        let life = life
        if length > Weather.minute, let epoch = consuming {
            // Missed heartbeats.
            world.clock.after(world.random.between(Weather.minute, min(length, 3 * Weather.minute))) {
                [unowned(unsafe) self] in
                world.broker.close(epoch)
            }
        }
        world.clock.after(length) { [unowned(unsafe) self] in
            if self.life == life, isFrozen { thaw() }
        }
    }

    private func thaw() {
        world.story.tell(world.now, worker: number, .thawed, "goes on")
        isFrozen = false
        if world.now - frozenAt > 30_000 {
            // The loop saw the wall clock jump: transfers are cancelled before they are driven again.
            for desk in desks { desk.cancelCall() }
        }
        let ready = held
        held = []
        for (desk, call) in ready { desk.wake(call) }
        if let believed, consuming != believed { notice(believed) }
        connect()
        world.broker.pump()
    }

    /// TERM: nothing new, and what is held is finished or given back within 20 s.
    func drain() {
        guard isAlive, !isFrozen, !isDraining else { return }
        world.story.tell(world.now, worker: number, .drained, "is told to end")
        isDraining = true
        let life = life
        world.clock.after(20_000) { [unowned(unsafe) self] in
            if isAlive, self.life == life { crash("ends") }
        }
    }

    // MARK: Connection

    /// Connects in a while, unless it is connected by then.
    func connect() {
        guard isAlive, consuming == nil, believed == nil else { return }
        let life = life
        world.clock.after(world.random.between(50, 2000)) { [unowned(unsafe) self] in
            guard isAlive, self.life == life, consuming == nil else { return }
            // Whoever finds the broker away, or wakes up, tries again then.
            guard world.broker.isUp, !isFrozen else { return }
            let epoch = world.broker.consume(self)
            consuming = epoch
            believed = epoch
            world.broker.pump()
        }
    }

    /// Its channel has gone. It will notice.
    func lost(_ epoch: Int) {
        guard consuming == epoch else { return }
        consuming = nil
        guard isAlive else { return }
        world.story.tell(world.now, worker: number, .channelLost, "loses its channel")
        notice(epoch)
    }

    private func notice(_ epoch: Int) {
        let life = life
        world.clock.after(world.random.between(0, 100)) { [unowned(unsafe) self] in
            guard isAlive, self.life == life, !isFrozen, believed == epoch else { return }
            believed = nil
            buffer = []
            connect()
        }
    }

    // MARK: Work

    func take(_ open: OpenDelivery) {
        buffer.append(open)
        begin()
    }

    private func begin() {
        while desks.count < slots, !buffer.isEmpty, !isFrozen {
            // A suspect is alone in the process.
            if desks.contains(where: { $0.open.isSuspect }) { return }
            let suspect = buffer.firstIndex { $0.isSuspect }
            if suspect != nil, !desks.isEmpty { return }
            let open = buffer.remove(at: suspect ?? 0)
            let desk = VisitDesk(world: world, worker: self, open: open)
            desks.append(desk)
            world.begin(desk)
        }
    }

    func ended(_ desk: VisitDesk) {
        desks.removeAll { $0 === desk }
        begin()
        world.broker.pump()
    }

    /// Something for a visit is there; a frozen worker finds it later.
    func hold(_ desk: VisitDesk, _ call: Int) -> Bool {
        guard isFrozen else { return false }
        held.append((desk, call))
        return true
    }

    /// The least of a breaker, and the operator's stop.
    func saw(_ signal: TrafficSignal) {
        switch signal {
        case .failing, .notSent, .notStripe: failures += 1
        case .operatorNeeded: failures = 5
        case .answered, .rejected:
            failures = 0
            isTrying = false
        case .limited, .resultRefused, .resultStored: return
        }
        guard failures >= 5, world.now >= stoppedUntil else { return }
        let length = world.random.between(1000, 20_000)
        stoppedUntil = world.now + length
        failures = 4
        isTrying = true
        world.story.tell(world.now, worker: number, .breaker, detail: length, "stops calling Stripe for \(length) ms")
        let life = life
        world.clock.after(length) { [unowned(unsafe) self] in
            if self.life == life { world.broker.pump() }
        }
    }
}
