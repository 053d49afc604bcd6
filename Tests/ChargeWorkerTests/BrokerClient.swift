import ChargeWire
import Charging
import EventLoop
import Messaging
import Settings
import TestSupport
import Testing

/// What is at both ends of a worker: publishes charges, and takes results and parked messages.
actor BrokerClient {
    private let loop: Loop
    private let topology: ChargeTopology
    private let plan: LinkPlan
    private var link: BrokerLink?
    nonisolated let results = Probe<ChargeResult>()
    nonisolated let parked = Probe<(key: String, message: Message)>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: Loop, settings: ChargelineSettings) {
        self.loop = loop
        topology = ChargeTopology(
            prefix: settings.prefix, lanes: settings.lanes,
            tiers: settings.retryDelays.map { WaitTier(milliseconds: $0.milliseconds) }, settle: 0)
        let endpoints = (try? BrokerEndpoint.parseList(settings.brokerURLs.reveal())) ?? []
        var plan = LinkPlan(
            endpoints: endpoints, name: "test client",
            channels: [
                .publishing, .consuming(.init(queue: topology.results, prefetch: 1000)),
                .consuming(.init(queue: topology.parked, prefetch: 1000)),
            ])
        plan.topology = topology.plan
        self.plan = plan
    }

    func start() async throws {
        let link = BrokerLink(loop: loop, plan: plan, random: { 0.5 })
        link.onDelivery = { [unowned self] delivery in assumeIsolated { $0.take(delivery) } }
        self.link = link
        link.start()
        try await link.untilUp(within: 120_000_000_000)
    }

    func stop() async {
        await link?.close()
    }

    private func take(_ delivery: Delivery) {
        link?.ack(delivery.receipt)
        if delivery.consumer == 1 {
            parked.send((delivery.routingKey, delivery.message))
        } else if let result = try? ChargeResult(json: delivery.message.body) {
            results.send(result)
        } else {
            Issue.record("a result that cannot be read")
        }
    }

    /// Publishes a body as it is.
    func publish(
        _ body: String, id: String?, lane: String = "checkout", timestamp: Int64? = LoopClock.wall() / 1000,
        replyTo: String? = nil, headers: [MessageHeader] = []
    ) async throws {
        let message = Message(
            body: Array(body.utf8), contentType: "application/json", messageID: id, correlationID: id, replyTo: replyTo,
            timestamp: timestamp, headers: headers)
        let outcome = await link?.publish(message, exchange: topology.charges, routingKey: lane)
        try #require(outcome == .confirmed)
    }

    /// Publishes a charge.
    func charge(
        _ id: String, token: String = "tok_visa", amount: Int = 1999, further: String = "", lane: String = "checkout",
        headers: [MessageHeader] = []
    ) async throws {
        try await publish(
            #"{"id":"\#(id)","token":"\#(token)","amount":\#(amount),"currency":"usd"\#(further)}"#, id: id, lane: lane,
            headers: headers)
    }

    /// Consumes the checkout lane until it holds this many, then lets its connection go: what a crash of a worker looks
    /// like.
    func takeAndDropCharges(_ count: Int) async throws {
        var plan = plan
        plan.topology = nil
        plan.channels = [
            .consuming(.init(queue: topology.queue(of: "checkout"), prefetch: 100)),
            .consuming(.init(queue: topology.againQueue(of: "checkout"), prefetch: 100)),
        ]
        let crashing = BrokerLink(loop: loop, plan: plan, random: { 0.5 })
        let taken = Probe<Int>()
        crashing.onDelivery = { taken.send($0.deliveryCount) }
        crashing.start()
        _ = try await taken.next(count)
        await crashing.close()
    }

    /// Binds a queue to the results that takes one message and refuses the next.
    func bindFullQueue(_ name: String) async throws {
        var plan = plan
        plan.channels = [.publishing]
        let arguments = [
            MessageHeader("x-queue-type", .text("quorum")), MessageHeader("x-max-length", .int(1)),
            MessageHeader("x-overflow", .text("reject-publish")),
        ]
        plan.topology = TopologyPlan(
            queues: [.init(name, arguments: arguments)],
            bindings: [.init(queue: name, exchange: topology.results, routingKey: "#")], settle: 0)
        let binding = BrokerLink(loop: loop, plan: plan, random: { 0.5 })
        binding.start()
        try await binding.untilUp(within: 120_000_000_000)
        // Until it refuses: a quorum queue counts a moment late.
        let message = Message(body: [0x30], contentType: "text/plain")
        while await binding.publish(message, exchange: "", routingKey: name) == .confirmed {
            try Task.checkCancellation()
        }
        await binding.close()
    }

    /// How many messages are in a lane's new queue, or nil.
    func depth(of queue: String) async -> Int? {
        await link?.queueDepth(queue)?.messages
    }
}
