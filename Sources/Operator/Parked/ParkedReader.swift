internal import ChargeWire
internal import EventLoop
internal import Messaging

/// Looks at the parked queue without settling anything: what it was shown goes back when its connection closes. Lives
/// on the loop.
struct ParkedReader {
    /// What a look came to.
    struct Look: Sendable {
        /// How many messages the queue had.
        let depth: Int
        /// Those that were looked at, oldest first.
        let messages: [ParkedMessage]
    }

    let loop: Loop
    let access: BrokerAccess

    /// Ends a look where nothing comes any more: another consumer may hold the rest.
    private static let silence: Int64 = 5_000_000_000

    /// Looks at the oldest messages.
    ///
    /// - Parameter limit: most of them, up to 65,535, which is AMQP's longest prefetch.
    func look(limit: Int) async throws(LinkProblem) -> Look {
        let depth = try await depth()
        let wanted = min(depth, limit)
        guard wanted > 0 else { return Look(depth: depth, messages: []) }
        let plan = access.plan("parked", [.consuming(.init(queue: access.topology.parked, prefetch: wanted))])
        let link = BrokerLink(loop: loop, plan: plan, random: { Double.random(in: 0..<1) })
        let full = Latch<Void>()
        var messages: [ParkedMessage] = []
        let silence = loop.makeTimer { full.open(()) }
        link.onDelivery = { delivery in
            guard messages.count < wanted else { return }
            messages.append(ParkedMessage(delivery, in: access.topology))
            silence.arm(after: Self.silence)
            if messages.count == wanted { full.open(()) }
        }
        link.start()
        try await link.untilUp(within: BrokerAccess.patience)
        silence.arm(after: Self.silence)
        await full.wait()
        silence.disarm()
        link.onDelivery = nil
        await link.close()
        return Look(depth: depth, messages: messages)
    }

    private func depth() async throws(LinkProblem) -> Int {
        let link = BrokerLink(loop: loop, plan: access.plan("parked", []), random: { Double.random(in: 0..<1) })
        link.start()
        try await link.untilUp(within: BrokerAccess.patience)
        let depth = await link.queueDepth(access.topology.parked)
        await link.close()
        guard let depth else { throw Self.missing(access.topology.parked) }
        return depth.messages
    }

    /// A queue that nobody declared.
    static func missing(_ queue: String) -> LinkProblem {
        LinkProblem(
            .missing(queue), "there is no queue \(queue)",
            mend: "start an api or a worker, or run chargeline topology declare")
    }
}
