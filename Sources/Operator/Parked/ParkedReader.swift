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

    /// The most messages that can be looked at without settling any: AMQP's longest prefetch.
    static let most = 65_535
    /// Ends a look where nothing comes any more: another consumer may hold the rest.
    private static let silence: Int64 = 5_000_000_000

    /// Looks at the oldest messages.
    ///
    /// - Parameter limit: most of them, up to `most`.
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
        let depth = await Self.depth(access.topology.parked, by: link, loop: loop)
        await link.close()
        guard let depth else { throw Self.missing(access.topology.parked) }
        return depth
    }

    /// How many messages are ready. A queue that is busy taking back what a consumer held is said to have none, so none
    /// is believed once it was said three times.
    static func depth(_ queue: String, by link: BrokerLink, loop: Loop) async -> Int? {
        for _ in 0..<2 {
            guard let depth = await link.queueDepth(queue)?.messages else { return nil }
            if depth > 0 { return depth }
            await loop.sleep(nanoseconds: 300_000_000)
        }
        return await link.queueDepth(queue)?.messages
    }

    /// A queue that nobody declared.
    static func missing(_ queue: String) -> LinkProblem {
        LinkProblem(
            .missing(queue), "there is no queue \(queue)",
            mend: "start an api or a worker, or run chargeline topology declare")
    }
}
