internal import ChargeWire
internal import Charging
internal import EventLoop
internal import Messaging
internal import Settings

/// The API's two connections to the broker: one publishes charges and declares the topology, one watches results. Two,
/// because under a memory alarm the broker stops reading from those who publish, acks included.
final class BrokerSide {
    /// Called for each result that passes, with its bytes.
    var onResult: ((ChargeResult, [UInt8]) -> Void)?
    /// Called for a message on the results exchange that is none.
    var onUnreadable: ((String) -> Void)?
    /// Called when a link's state changed.
    var onState: ((_ link: StaticString, LinkState) -> Void)?

    /// How many consumers the default lane's queue had when last asked; nil as long as that is not known.
    private(set) var workers: Int?
    private let topology: ChargeTopology
    private let publishing: BrokerLink
    private var watching: BrokerLink
    private let makeWatching: () -> BrokerLink
    private var renewal: LoopTimer?

    /// A confirm that takes longer is answered 503: the caller repeats with the same key, which is the same charge.
    private static let confirmDeadline: Int64 = 5_000_000_000
    /// Results at hand; more than one turn of the loop takes.
    private static let watchPrefetch = 1000

    /// - Parameter random: a number in 0..<1.
    init(loop: Loop, settings: ChargelineSettings, random: @escaping () -> Double) throws(APIFault) {
        let endpoints: [BrokerEndpoint]
        do {
            endpoints = try BrokerEndpoint.parseList(settings.brokerURLs.reveal())
        } catch {
            throw APIFault("AMQP_URL: \(error)")
        }
        let topology = ChargeTopology(
            prefix: settings.prefix, lanes: settings.lanes,
            tiers: settings.retryDelays.map { WaitTier(milliseconds: $0.milliseconds) },
            keepsResults: settings.results == .queue, settle: settings.settle.milliseconds * 1_000_000)
        var charges = LinkPlan(endpoints: endpoints, name: "chargeline api: charges", channels: [.publishing])
        charges.topology = topology.plan
        charges.publishHeader = ChargeHeaders.Name.publish
        charges.confirmDeadline = Self.confirmDeadline
        publishing = BrokerLink(loop: loop, plan: charges, random: random)
        makeWatching = {
            let queue = topology.watchQueue(String(UInt64(random() * 0x1p53), radix: 36))
            var results = LinkPlan(
                endpoints: endpoints, name: "chargeline api: results",
                channels: [.consuming(.init(queue: queue, prefetch: Self.watchPrefetch, isExclusive: true))])
            results.topology = topology.watchPlan(queue: queue)
            return BrokerLink(loop: loop, plan: results, random: random)
        }
        self.topology = topology
        watching = makeWatching()
        renewal = loop.makeTimer { [unowned self] in
            watching = makeWatching()
            startWatching()
        }
    }

    func start() {
        publishing.onStateChange = { [unowned self] in onState?("charges", $0) }
        publishing.start()
        startWatching()
    }

    private func startWatching() {
        watching.onStateChange = { [unowned self] state in
            onState?("results", state)
            // After a cut that the broker has not noticed it keeps the exclusive queue for a connection that is gone,
            // until its heartbeat fails. Another queue serves as well. Later, because this link is the one that speaks.
            if state.problem?.kind == .locked { renewal?.arm(after: 0) }
        }
        watching.onDelivery = { [unowned self] in arrived($0) }
        watching.start()
    }

    /// Whether charges can be published.
    var isReady: Bool { publishing.state == .ready }
    /// Whether results are seen.
    var seesResults: Bool { watching.state.isUp }
    var publishingState: LinkState { publishing.state }
    var watchingState: LinkState { watching.state }

    /// Publishes a charge; `done` is called once, at once where it cannot be sent.
    func publish(
        _ body: [UInt8], id: ChargeID, lane: String, headers: ChargeHeaders, done: @escaping (PublishOutcome) -> Void
    ) {
        let routed = topology.newCharge(body, id: id, lane: lane, headers: headers)
        publishing.startPublish(
            routed.message, exchange: routed.exchange, routingKey: routed.routingKey, mandatory: true, done: done)
    }

    /// Asks how many workers consume a lane. While that cannot be known nobody is turned away for it.
    func askForWorkers(lane: String) async {
        guard publishing.state.isUp else { return workers = nil }
        workers = await publishing.queueDepth(topology.queue(of: lane))?.consumers
    }

    func close() async {
        renewal?.disarm()
        renewal = nil
        await watching.close(within: 500_000_000)
        await publishing.close(within: 500_000_000)
        publishing.onStateChange = nil
        watching.onStateChange = nil
        watching.onDelivery = nil
    }

    private func arrived(_ delivery: Delivery) {
        // Acked whatever it is: the queue is a copy that only this process has.
        watching.ack(delivery.receipt)
        // The record of a message that a person discarded says nothing about a charge.
        guard delivery.message.type != ChargeTopology.discardedType else { return }
        do {
            onResult?(try ChargeResult(json: delivery.message.body), delivery.message.body)
        } catch {
            onUnreadable?(error.description)
        }
    }
}

extension LinkState {
    /// For `/readyz?verbose`.
    var words: String {
        switch self {
        case .blocked(let why): "the broker takes no messages now: \(why)"
        case .lost(let problem), .refused(let problem): problem.description
        case .idle, .connecting, .ready, .closed: "\(self)"
        }
    }
}
