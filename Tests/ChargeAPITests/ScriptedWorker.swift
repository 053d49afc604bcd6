import ChargeWire
import Charging
import EventLoop
import Messaging
import TestSupport

/// Stands in for a worker: takes the charges of a lane and publishes what its script says.
actor ScriptedWorker {
    /// A charge as it came from the queue.
    struct Seen: Sendable {
        let message: Message
        let request: ChargeRequest
        let headers: ChargeHeaders
    }

    private let loop = Loop()
    private let thread: LoopThread
    private var link: BrokerLink?
    private let topology: ChargeTopology
    private let script: @Sendable (Seen) -> [ChargeResult]
    /// Every charge that came, in order.
    nonisolated let seen = Probe<Seen>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(prefix: String, script: @escaping @Sendable (Seen) -> [ChargeResult] = { [ScriptedWorker.told($0)] }) {
        topology = ChargeTopology(prefix: prefix, lanes: ["checkout", "batch"], tiers: [])
        self.script = script
        thread = loop.startThread(named: "scripted-worker")
    }

    /// The result that the charge's description names.
    static func told(_ seen: Seen) -> ChargeResult {
        let status = seen.request.description.flatMap(ChargeStatus.init) ?? .succeeded
        let failure = ChargeFailure(
            code: "card_declined", declineCode: "stolen_card", message: "The card was reported stolen.")
        if status == .refused {
            return .refused(
                id: seen.request.id, body: seen.message.body, lane: "checkout", failure: failure,
                acceptedAt: seen.headers.accepted, completedAt: LoopClock.wall())
        }
        return ChargeResult(
            of: seen.request, status: status, lane: "checkout", caller: seen.headers.caller,
            stripe: StripeReference(paymentIntent: "pi_1", charge: "ch_1", requestID: "req_1", livemode: false),
            failure: status == .succeeded || status == .authorized ? nil : failure, attempts: 1,
            acceptedAt: seen.headers.accepted, completedAt: LoopClock.wall())
    }

    /// Starts one and waits until it consumes; stops it after `body`.
    @concurrent
    static func with(
        _ broker: String, prefix: String,
        script: @escaping @Sendable (Seen) -> [ChargeResult] = { [ScriptedWorker.told($0)] },
        _ body: @concurrent (ScriptedWorker) async throws -> Void
    ) async throws {
        let worker = ScriptedWorker(prefix: prefix, script: script)
        do {
            try await worker.start(broker)
            try await body(worker)
        } catch {
            await worker.end()
            throw error
        }
        await worker.end()
    }

    private func start(_ broker: String) async throws {
        let queues = topology.lanes.map {
            LinkPlan.Channel.consuming(.init(queue: topology.queue(of: $0), prefetch: 100))
        }
        let plan = LinkPlan(
            endpoints: try BrokerEndpoint.parseList(broker), name: "scripted worker", channels: [.publishing] + queues)
        let link = BrokerLink(loop: loop, plan: plan) { 0.5 }
        self.link = link
        link.onDelivery = { [weak self] delivery in self?.assumeIsolated { $0.arrived(delivery) } }
        link.start()
        try await link.untilUp()
    }

    private func arrived(_ delivery: Delivery) {
        link?.ack(delivery.receipt)
        var headers = ChargeHeaders()
        for header in delivery.message.headers {
            switch header.value {
            case .int(let number): _ = headers.take(header.name, .int(number))
            case .text(let text): _ = headers.take(header.name, .text(text))
            case .bool, .other: break
            }
        }
        guard let request = try? ChargeRequest(json: delivery.message.body, flow: .paymentIntents) else { return }
        let charge = Seen(message: delivery.message, request: request, headers: headers)
        seen.send(charge)
        for result in script(charge) { publish(result) }
    }

    /// Publishes a result of nobody's charge, or a second one.
    func publish(_ result: ChargeResult) {
        link?.startPublish(
            topology.message(of: result), exchange: topology.results,
            routingKey: "\(result.lane).\(result.status.rawValue)"
        ) { _ in }
    }

    private nonisolated func end() async {
        await close()
        thread.stopAndJoin()
    }

    private func close() async {
        await link?.close()
        link = nil
    }
}
