import Charging

/// Everything of one run: plan, broker, Stripe, workers, the way between them, the weather. A function of its seed.
final class World: @unchecked Sendable {
    // Unchecked: a run is one thread.
    let seed: UInt64
    let weather: Weather
    let mutation: Mutation?
    var random: SplitMix64
    let executor: SeededExecutor
    let clock: VirtualClock
    let story: Story
    /// The flow of this account's workers, where it is one.
    let flow: Flow
    private(set) var plan: [PlannedCharge] = []
    private(set) var workers: [SimulatedWorker] = []
    private var visits = 0
    private var submissions = 0
    private(set) var isOver = false
    /// Workers struck and messages doubled, at most: every copy of a charge that looks for it may be copied in turn.
    var strikesLeft: Int
    var twinsLeft: Int
    var unheardLeft: Int
    /// When trouble ends.
    let calmFrom: Int64
    let settings: VisitSettings
    // The parts know the world, which therefore exists a moment before them.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var broker: SimulatedBroker!
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var stripe: SimulatedStripe!
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private(set) var audit: Audit!

    /// 2026-01-02T00:00:00Z.
    static let start: Int64 = 1_767_312_000_000
    /// From the end of trouble to the end of everything.
    static let patience: Int64 = 80 * Weather.hour
    /// A charge has a few hundred at the very worst.
    private static let mostHappenings = 1000

    var now: Int64 { clock.now }

    init(seed: UInt64, options: SimulationOptions) {
        self.seed = seed
        mutation = options.mutation
        random = SplitMix64(seed: seed)
        weather = options.drawWeather(&random)
        executor = SeededExecutor(seed: random.next())
        clock = VirtualClock(now: Self.start)
        strikesLeft = weather.charges / 2
        twinsLeft = weather.charges / 5
        unheardLeft = weather.charges / 5
        story = Story(told: options.tells, start: Self.start)
        flow = random.happens(0.7) ? .paymentIntents : .charges
        calmFrom = Self.start + Weather.lasts
        var settings = VisitSettings(
            flow: flow, rules: options.rules, retry: RetryPolicy(tiers: Self.tiers(&random)),
            notAfter: weather.laneExpires ? ["checkout": 2 * Weather.hour] : [:])
        options.mutation?.settings?(&settings)
        self.settings = settings
        var planner = Planner(weather: weather, start: Self.start, random: SplitMix64(seed: random.next()))
        plan = planner.plan()
        broker = SimulatedBroker(world: self)
        stripe = SimulatedStripe(world: self, charges: plan.count)
        stripe.register(planner.cards)
        audit = Audit(world: self, charges: plan.count)
        workers = (0..<weather.workers).map { SimulatedWorker(world: self, number: $0) }
    }

    private static func tiers(_ random: inout SplitMix64) -> [WaitTier] {
        let seconds: [Int64] =
            switch random.below(4) {
            case 0: [1, 30, 600, 3600]
            case 1: [5, 3600]
            default: [1, 5, 30, 120, 600, 3600]
            }
        return seconds.map { WaitTier(milliseconds: $0 * 1000) }
    }

    // MARK: Running

    func run() {
        scheduleSubmissions()
        scheduleWeather()
        for worker in workers {
            clock.after(weather.workersStart + random.between(0, 1000)) { worker.start() }
        }
        executor.drain()
        while audit.violation == nil, !isSettled {
            guard let next = clock.next, next <= calmFrom + weatherEnd + Self.patience else {
                audit.violate("something is still under way: \(openWork)")
                break
            }
            guard story.count < Self.mostHappenings * weather.charges else {
                audit.violate("it goes round and round: \(openWork)")
                break
            }
            clock.step()
            executor.drain()
        }
        if audit.violation == nil { audit.end() }
        end()
    }

    private var weatherEnd: Int64 { weather.weekend ? 70 * Weather.hour : 0 }

    /// Whether nothing more can happen to a charge.
    private var isSettled: Bool { submissions == 0 && visits == 0 && broker.isEmpty && stripe.pending == 0 }

    private var openWork: String {
        "\(visits) visits, \(broker.queued) queued, \(broker.waiting) waiting, \(broker.unacked) not acked, "
            + "\(stripe.pending) at Stripe"
    }

    /// Leaves no task behind.
    private func end() {
        isOver = true
        for worker in workers { worker.crash("the run is over") }
        executor.drain()
        (broker, stripe, audit) = (nil, nil, nil)
        workers = []
    }

    // MARK: Visits

    func begin(_ desk: VisitDesk) {
        visits += 1
        story.tell(
            now, worker: desk.worker.number, charge: desk.charge, .delivered, detail: Int64(desk.open.tag),
            "takes it" + (desk.delivery.redelivered ? ", redelivered" : "")
                + (desk.delivery.headers.phase == .lookup ? ", to look it up" : ""))
        Task(executorPreference: executor) {
            let disposition = await self.visit(desk).run(self.given(desk))
            self.ended(desk, disposition)
        }
    }

    private func given(_ desk: VisitDesk) -> ChargeDelivery {
        guard let change = mutation?.delivery else { return desk.delivery }
        var delivery = desk.delivery
        change(&delivery)
        return delivery
    }

    private func visit(_ desk: VisitDesk) -> ChargeVisit {
        var settings = settings
        settings.flow = desk.worker.flow
        guard let mutation else {
            return ChargeVisit(broker: desk, stripe: desk, clock: desk, traffic: desk, settings: settings)
        }
        let mutated = MutatedDesk(desk, mutation)
        return ChargeVisit(broker: mutated, stripe: mutated, clock: mutated, traffic: desk, settings: settings)
    }

    private func ended(_ desk: VisitDesk, _ disposition: Disposition) {
        visits -= 1
        guard !desk.isDead else { return }
        audit.ended(desk, disposition)
        desk.worker.ended(desk)
    }

    // MARK: Submitters

    private func scheduleSubmissions() {
        for (index, planned) in plan.enumerated() {
            for submission in planned.submissions {
                submissions += 1
                clock.after(submission.at) { [unowned(unsafe) self] in submit(index, submission) }
            }
        }
    }

    private func submit(_ index: Int, _ submission: Submission) {
        guard broker.isUp else {
            // The submitter tries for a while, and gives up.
            guard now - Self.start < submission.at + Weather.hour else { return submissions -= 1 }
            return clock.after(random.between(1000, 2 * Weather.minute)) { [unowned(unsafe) self] in
                submit(index, submission)
            }
        }
        var delivery = ChargeDelivery(
            body: plan[index].variants[submission.variant].body, lane: SimulatedBroker.lanes[submission.lane],
            handle: DeliveryHandle(epoch: -1, channel: 0, tag: 0))
        delivery.messageID = plan[index].id.text
        let clock = now + random.between(-weather.skew, min(weather.skew, 30_000))
        switch submission.stamp {
        case .header: (delivery.headers.accepted, delivery.timestamp) = (clock, clock / 1000)
        case .timestamp: delivery.timestamp = clock / 1000
        case .none: break
        case .absurd(let off): delivery.timestamp = (now + off) / 1000
        }
        let message = QueuedMessage(
            delivery, accepted: delivery.believed, charge: index, variant: submission.variant, lane: submission.lane)
        story.tell(
            now, charge: index, .submitted, detail: Int64(submission.variant),
            "is submitted" + (submission.variant > 0 ? " with another body" : ""))
        audit.submitted(message)
        broker.submit(message)
        // A submitter that gets no confirm sends it again.
        if random.happens(weather.wordLost), plan[index].submissions.count < 4 {
            self.clock.after(random.between(1000, 60_000)) { [unowned(unsafe) self] in submit(index, submission) }
        } else {
            submissions -= 1
        }
    }

    /// Which of the plan's charges an id is.
    func index(ofID text: String?) -> Int? {
        guard let text, let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        return Int(text[text.index(after: dash)...])
    }
}

extension ChargeDelivery {
    /// When it was accepted, where it says so believably; the plan's absurd times are years off.
    fileprivate var believed: Int64? {
        if let accepted = headers.accepted { return accepted }
        guard let timestamp, abs(timestamp * 1000 - World.start) < 100 * 24 * Weather.hour else { return nil }
        return timestamp * 1000
    }
}
