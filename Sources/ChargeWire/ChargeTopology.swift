public import Charging
public import Messaging

/// The names of chargeline's exchanges and queues, and all of them as the broker is to have them (docs/messages.md).
public struct ChargeTopology: Sendable {
    /// First part of every name.
    public let prefix: String
    /// The lanes; the first is the default.
    public let lanes: [String]
    /// The durable delays.
    public let tiers: [WaitTier]
    /// Whether results are kept in a durable queue (`CHARGELINE_RESULTS`).
    public let keepsResults: Bool
    /// How long a new queue ages before it is relied on, ns.
    public let settle: Int64

    /// Names the topology of one prefix.
    public init(
        prefix: String, lanes: [String], tiers: [WaitTier], keepsResults: Bool = true, settle: Int64 = 2_000_000_000
    ) {
        self.prefix = prefix
        self.lanes = lanes
        self.tiers = tiers
        self.keepsResults = keepsResults
        self.settle = settle
    }

    // MARK: Names

    /// Exchange for charges: key `<lane>` for new ones, `<word>.<lane>` for those coming back.
    public var charges: String { "\(prefix).charges" }
    /// Exchange for charges that wait: key `<delay>.<lane>`.
    public var wait: String { "\(prefix).wait" }
    /// Exchange and queue for results: key `<lane>.<status>`.
    public var results: String { "\(prefix).results" }
    /// Exchange and queue for what a person must look at: key `<lane>.<reason>`.
    public var parked: String { "\(prefix).parked" }
    /// The queue of a lane's new charges.
    public func queue(of lane: String) -> String { "\(prefix).charges.\(lane)" }
    /// The queue of a lane's charges coming back.
    public func againQueue(of lane: String) -> String { "\(prefix).again.\(lane)" }
    /// The wait queue of a delay.
    public func queue(of tier: WaitTier) -> String { "\(prefix).wait.\(tier.name)" }
    /// The name of a watch queue; `suffix` is random.
    public func watchQueue(_ suffix: String) -> String { "\(prefix).watch.\(suffix)" }
    /// The exchange that says that a queue was made and has aged.
    public func marker(of queue: String) -> String { "\(prefix).made.\(queue.dropFirst(prefix.utf8.count + 1))" }

    // MARK: Plans

    /// Everything durable.
    public var plan: TopologyPlan {
        var plan = TopologyPlan(settle: settle)
        plan.exchanges = [
            // A charge for a lane that does not exist is parked, not lost.
            .init(charges, type: "topic", arguments: [MessageHeader("alternate-exchange", .text(parked))]),
            .init(wait, type: "topic"),
            .init(results, type: "topic"),
            .init(parked, type: "topic"),
        ]
        add(&plan, parked, to: parked, key: "#", [MessageHeader("x-delivery-limit", .int(Self.noLimit))])
        if keepsResults {
            let arguments = deadLettering(to: parked, key: "result.rejected", limit: Self.noLimit)
            add(&plan, results, to: results, key: "#", arguments)
        }
        for lane in lanes {
            let arguments = deadLettering(to: parked, key: "\(lane).delivery-limit", limit: Self.deliveryLimit)
            add(&plan, queue(of: lane), to: charges, key: lane, arguments)
            add(&plan, againQueue(of: lane), to: charges, key: "*.\(lane)", arguments)
        }
        for tier in tiers {
            let ttl = MessageHeader("x-message-ttl", .int(tier.milliseconds))
            add(&plan, queue(of: tier), to: wait, key: "\(tier.name).*", deadLettering(to: charges) + [ttl])
        }
        return plan
    }

    /// A watcher's copy of the results: may be lost, nothing depends on it. It drops its oldest when full; a queue here
    /// that refused publishes would have every result nacked.
    public func watchPlan(queue: String) -> TopologyPlan {
        var plan = TopologyPlan(settle: 0)
        plan.exchanges = [.init(results, type: "topic")]
        plan.queues = [
            .init(
                queue,
                arguments: [
                    MessageHeader("x-max-length", .int(100_000)), MessageHeader("x-overflow", .text("drop-head")),
                ], isDurable: false, isExclusive: true, isAutoDelete: true)
        ]
        plan.bindings = [.init(queue: queue, exchange: results, routingKey: "#")]
        return plan
    }

    /// Deliveries before a charge that kills its workers is taken away by the broker itself.
    private static let deliveryLimit: Int64 = 20
    /// Results and parked messages are never given up, however often their consumer fails.
    private static let noLimit: Int64 = 2_147_483_647

    /// Dead-lettering that survives a crash: without `reject-publish` the broker silently falls back to at-most-once.
    private func deadLettering(to exchange: String, key: String? = nil, limit: Int64? = nil) -> [MessageHeader] {
        var arguments = [
            MessageHeader("x-dead-letter-exchange", .text(exchange)),
            MessageHeader("x-dead-letter-strategy", .text("at-least-once")),
            MessageHeader("x-overflow", .text("reject-publish")),
        ]
        if let key { arguments.append(MessageHeader("x-dead-letter-routing-key", .text(key))) }
        if let limit { arguments.append(MessageHeader("x-delivery-limit", .int(limit))) }
        return arguments
    }

    private func add(
        _ plan: inout TopologyPlan, _ queue: String, to exchange: String, key: String, _ arguments: [MessageHeader]
    ) {
        let quorum = MessageHeader("x-queue-type", .text("quorum"))
        plan.queues.append(.init(queue, arguments: [quorum] + arguments, marker: marker(of: queue)))
        plan.bindings.append(.init(queue: queue, exchange: exchange, routingKey: key))
    }
}
