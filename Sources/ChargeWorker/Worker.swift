internal import ChargeWire
internal import Charging
internal import EventLoop
internal import HTTPClient
internal import HTTPServer
internal import Messaging
internal import Settings
internal import StripeClient
internal import Telemetry

/// What a worker's visits share: the links, the slots, the traffic. Only its role's actor reaches it.
final class Worker {
    let loop: Loop
    let settings: ChargelineSettings
    let report: WorkerReport
    let topology: ChargeTopology
    let publishing: BrokerLink
    let consuming: BrokerLink
    let transfers: Transfers
    let gateway: StripeGateway
    let traffic: Traffic
    let broker: LiveBroker
    let clock: LiveClock
    private let charge: ChargeVisit
    private let spawn: (StartedCharge) -> Void

    var queues: LaneQueues<ChargeDelivery>
    /// Deliveries that are being given back without a slot.
    var givingBack = 0
    var isPaused = false
    /// A suspect is to be alone in the process.
    var isIsolating = false
    var isProbing = false
    var isAskedToProbe = false
    var listener: HTTPListener?
    var jump: TurnAction?
    var flushing: TurnAction?
    var whenIdle: UnsafeContinuation<Void, Never>?
    var probeAgain: (Int64) -> Void = { _ in }
    var onFault: (String) -> Void = { _ in }

    init(
        loop: Loop, settings: ChargelineSettings, log: Log, spawn: @escaping (StartedCharge) -> Void
    ) throws(WorkerFault) {
        self.loop = loop
        self.settings = settings
        self.spawn = spawn
        guard let key = settings.stripeKey else {
            throw WorkerFault(
                "STRIPE_SECRET_KEY is not set: give it in the environment, or a file's path in STRIPE_SECRET_KEY_FILE")
        }
        let tiers = settings.retryDelays.map { WaitTier(milliseconds: $0.milliseconds) }
        topology = ChargeTopology(
            prefix: settings.prefix, lanes: settings.lanes, tiers: tiers, keepsResults: settings.results == .queue,
            settle: settings.settle.milliseconds * 1_000_000)
        (publishing, consuming) = try Self.links(loop, settings, topology)
        transfers = Transfers(
            loop: loop,
            // Room for the probe, and for reads of charges that no longer hold a slot.
            settings: TransferSettings(atOnce: settings.inFlight + 16), capturing: StripeGateway.capturedHeaders)
        gateway = StripeGateway(
            transfers: transfers,
            settings: StripeSettings(
                base: settings.stripeBase.description, timeoutMilliseconds: Int(settings.stripeTimeout.milliseconds),
                programVersion: ProgramVersion.text), key: key)
        traffic = Traffic(loop: loop, perSecond: settings.stripeRateShare, slots: settings.inFlight)
        broker = LiveBroker(publishing: publishing, consuming: consuming, topology: topology)
        clock = LiveClock(loop: loop)
        queues = LaneQueues(laneCount: settings.lanes.count)
        report = WorkerReport(log: log, lanes: settings.lanes)
        charge = ChargeVisit(
            broker: broker, stripe: gateway, clock: clock, traffic: traffic, settings: VisitSettings(settings, tiers))
    }

    // MARK: Deliveries

    /// A delivery of consumer `2 × lane` (new charges) or `2 × lane + 1` (charges coming back).
    func arrived(_ delivery: Delivery) {
        let lane = delivery.consumer / 2
        let charge = ChargeDelivery(delivery, lane: settings.lanes[lane])
        let isAgain = delivery.consumer % 2 == 1
        // Neither needs a slot: the one is put back marked, the other as it is.
        if mustGiveBack || charge.isNewlySuspect { return giveBack(charge) }
        queues.add(charge, lane: lane, kind: isAgain ? .again : .new, isSuspect: charge.isSuspect)
        if charge.isSuspect { isolate() } else { pump() }
    }

    /// Starts as many charges as there are slots and turns for.
    func pump() {
        // While the broker takes no publishes, a charge made now would hold its slot until it does: start none.
        guard case .ready = publishing.state else { return }
        // Until the neighbours are given back, a suspect is not alone.
        if isIsolating, givingBack > 0 { return }
        while let next = queues.next(slots: traffic.allowance) {
            let isAgain = next.kind == .again
            guard broker.isOpen(next.item) else {
                queues.finish((next.kind, next.isSuspect))
                endIsolationIfAlone()
                continue
            }
            spawn(StartedCharge(delivery: next.item, isAgain: isAgain, isSuspect: next.isSuspect, takesSlot: true))
        }
        report.inFlight(queues.inFlight, waiting: queues.waitingCount)
    }

    /// One visit, from the slot to its end.
    func visit(_ started: StartedCharge) async {
        let began = LoopClock.monotonic()
        let delivery = started.delivery
        let unsent = !started.takesSlot && !delivery.isNewlySuspect
        let disposition = unsent ? await charge.giveBack(delivery) : await charge.run(delivery)
        report.ended(delivery, disposition, nanoseconds: LoopClock.monotonic() - began, wall: clock.now())
        if started.takesSlot {
            queues.finish((started.isAgain ? .again : .new, started.isSuspect))
        } else {
            givingBack -= 1
        }
        endIsolationIfAlone()
        pump()
        if isIdle { resumeIdle() }
    }

    // MARK: Giving back

    /// Whether no call may be made, so that what arrives goes back at once.
    var mustGiveBack: Bool { traffic.isDraining || traffic.breaker.isOpen || isIsolating }

    /// Gives back all that waits for a slot, with what is known of it.
    func giveBackWaiting() {
        for delivery in queues.takeAll() { giveBack(delivery) }
        endIsolationIfAlone()
    }

    func giveBack(_ delivery: ChargeDelivery) {
        guard broker.isOpen(delivery) else { return }
        givingBack += 1
        spawn(StartedCharge(delivery: delivery, isAgain: false, isSuspect: false, takesSlot: false))
    }

    var isIdle: Bool { queues.inFlight == 0 && givingBack == 0 }

    func resumeIdle() {
        whenIdle?.resume()
        whenIdle = nil
    }
}

extension VisitSettings {
    init(_ settings: ChargelineSettings, _ tiers: [WaitTier]) {
        self.init(
            flow: settings.stripeFlow == .charges ? .charges : .paymentIntents,
            rules: SendRules(
                retryFor: settings.retryFor.milliseconds, searchesReusable: settings.searchFirst == .reusable),
            retry: RetryPolicy(tiers: tiers), notAfter: settings.notAfter.mapValues(\.milliseconds))
    }
}
