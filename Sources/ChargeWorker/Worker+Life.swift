internal import ChargeWire
internal import Charging
internal import EventLoop
internal import HTTPClient
internal import HTTPServer
internal import Messaging
internal import Settings
internal import StripeClient

/// Starting, pausing, probing and draining.
extension Worker {
    /// The two links: the one that publishes declares the topology, the one that consumes follows once that stands.
    static func links(
        _ loop: Loop, _ settings: ChargelineSettings, _ topology: ChargeTopology
    ) throws(WorkerFault) -> (publishing: BrokerLink, consuming: BrokerLink) {
        let endpoints: [BrokerEndpoint]
        do {
            endpoints = try BrokerEndpoint.parseList(settings.brokerURLs.reveal())
        } catch {
            throw WorkerFault("AMQP_URL: \(error)")
        }
        var publishing = LinkPlan(endpoints: endpoints, name: "chargeline worker: results", channels: [.publishing])
        publishing.topology = topology.plan
        publishing.publishHeader = ChargeHeaders.Name.publish
        let prefetch = prefetch(settings)
        let channels = settings.lanes.flatMap { lane in
            [
                LinkPlan.Channel.consuming(.init(queue: topology.queue(of: lane), prefetch: prefetch)),
                .consuming(.init(queue: topology.againQueue(of: lane), prefetch: max(10, prefetch / 2))),
            ]
        }
        let consuming = LinkPlan(endpoints: endpoints, name: "chargeline worker: charges", channels: channels)
        func chance() -> Double { Double.random(in: 0..<1) }
        return (
            BrokerLink(loop: loop, plan: publishing, random: chance),
            BrokerLink(loop: loop, plan: consuming, random: chance)
        )
    }

    /// Enough deliveries at hand that no slot waits for the broker, and not more: what a crash returns is redelivered.
    private static func prefetch(_ settings: ChargelineSettings) -> Int {
        let slots = Double(settings.inFlight) * 1.15
        // The rate times how long a charge takes: Stripe's p99 of about a second, and two of slack.
        let rated = settings.stripeRateShare * 3
        return min(2000, max(10, Int((rated > 0 ? min(slots, rated) : slots).rounded(.up))))
    }

    func start() throws(WorkerFault) {
        try serveAdmin()
        flushing = loop.beforeEachWait { [unowned self] in report.flush() }
        consuming.onDelivery = { [unowned self] in arrived($0) }
        publishing.onStateChange = { [unowned self] in publishingChanged($0) }
        consuming.onStateChange = { [unowned self] in consumingChanged($0) }
        consuming.onConsumerCancelled = { [unowned self] in
            report.consumerCancelled(topology.queue(ofConsumer: $0))
        }
        traffic.onChange = { [unowned self] stops in trafficChanged(stops) }
        traffic.onSuspiciousRejections = { [unowned self] what in askWhetherStripeWorks(because: what) }
        jump = loop.onWallClockJump { [unowned self] moved in
            // Frozen, or the clock was set: libcurl would send again by itself what is hours old.
            report.clockJumped(milliseconds: moved)
            transfers.cancelAll("the wall clock jumped")
        }
        report.starting(settings, adminPort: listener?.port)
        publishing.start()
    }

    private func publishingChanged(_ state: LinkState) {
        report.link("results", state)
        faultIfPermanent(state)
        if case .ready = state {
            consuming.start()
            pump()
        }
    }

    private func consumingChanged(_ state: LinkState) {
        report.link("charges", state)
        faultIfPermanent(state)
        // What came over a channel that is gone the broker delivers again; the other lanes' is still ours.
        if !state.isUp {
            queues.keep { broker.isOpen($0) }
            endIsolationIfAlone()
        }
        report.ready(isReady)
    }

    /// A wrong password, permission or argument ends the process only while it has never worked: later it waits for the
    /// mend.
    private func faultIfPermanent(_ state: LinkState) {
        guard case .refused(let problem) = state, consuming.connects == 0 else { return }
        onFault(problem.line)
    }

    // MARK: Stripe away

    private func trafficChanged(_ stops: Bool) {
        report.breaker(traffic.breaker.state, isDraining: traffic.isDraining)
        applyPause()
        if stops { giveBackWaiting() }
        if traffic.breaker.isOpen, !isProbing, !traffic.isDraining {
            isProbing = true
            probeAgain(1000)
        }
        report.ready(isReady)
        pump()
    }

    /// Waits, asks Stripe by a plain read, and asks again later: after 1 s, doubling to 10 s, spread over half of it.
    func probe(after milliseconds: Int64) async {
        await clock.sleep(milliseconds: milliseconds / 2 + Int64(Double(milliseconds / 2) * clock.chance()))
        guard !traffic.isDraining, traffic.breaker.isOpen || isAskedToProbe else {
            isProbing = false
            return
        }
        let outcome = await gateway.probe()
        let fault = Self.fault(in: outcome)
        report.probed(fault)
        if isAskedToProbe {
            isAskedToProbe = false
            if let fault { traffic.stopForOperator(fault) }
        } else if fault == nil {
            traffic.probeAnswered()
        }
        isProbing = false
        if traffic.breaker.isOpen, !traffic.isDraining {
            isProbing = true
            probeAgain(Breaker.probePause(after: milliseconds))
        }
    }

    /// A charge was answered as if a key or setting were wrong: one plain read tells whether it is the charge or us.
    private func askWhetherStripeWorks(because what: String) {
        report.operatorAsked(what)
        guard !isProbing else { return }
        isProbing = true
        isAskedToProbe = true
        probeAgain(0)
    }

    /// What a probe's outcome says is wrong; nil when Stripe works for this key.
    private static func fault(in outcome: StripeOutcome) -> String? {
        switch outcome {
        case .answered(let answer) where answer.status == 401 || answer.status == 403:
            "STRIPE_SECRET_KEY: Stripe does not accept the key (\(answer.status))"
        case .answered(let answer) where answer.status >= 500: "Stripe answers \(answer.status)"
        case .answered: nil
        case .notSent(let why) where why.kind == .certificate: "STRIPE_API_BASE: \(why.message)"
        case .notSent(let why): "Stripe cannot be reached: \(why.message)"
        case .noAnswer(let why): "Stripe does not answer: \(why)"
        case .notStripe(let why): "what answers is not Stripe: \(why)"
        }
    }

    func replaceKey(_ key: Secret) {
        gateway.replaceKey(key)
        report.keyReplaced()
        if traffic.breaker.isOpen, !isProbing {
            isProbing = true
            probeAgain(0)
        }
    }

    // MARK: Ending

    /// Whether charges can be worked on.
    var isReady: Bool {
        guard case .ready = publishing.state, consuming.state.isUp, !traffic.isDraining else { return false }
        if case .open(.operatorNeeded) = traffic.breaker.state { return false }
        return !traffic.areResultsRefused
    }

    var adminPort: UInt16 { listener?.port ?? 0 }

    /// Stops consuming, finishes or gives back what is held, and closes. What is not settled by then, the broker
    /// delivers again.
    func drain() async {
        traffic.drain()
        let nanoseconds = settings.drain.milliseconds * 1_000_000
        // Calls that still hang then are cut: each charge is told that it may have moved, and waits in the broker.
        let cut = loop.makeTimer { [unowned self] in transfers.cancelAll("draining") }
        cut.arm(after: nanoseconds - min(1_500_000_000, nanoseconds / 2))
        let end = loop.makeTimer { [unowned self] in resumeIdle() }
        end.arm(after: nanoseconds)
        if !isIdle { await withUnsafeContinuation { whenIdle = $0 } }
        cut.disarm()
        end.disarm()
        await consuming.close(within: 500_000_000)
        await publishing.close(within: 500_000_000)
        transfers.shutdown()
        listener?.stop()
        jump?.cancel()
        flushing?.cancel()
        report.drained(left: queues.inFlight + givingBack)
    }
}

extension ChargeTopology {
    /// The queue of a worker's consumer.
    func queue(ofConsumer index: Int) -> String {
        let lane = lanes[index / 2]
        return index % 2 == 0 ? queue(of: lane) : againQueue(of: lane)
    }
}
