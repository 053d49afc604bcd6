import EventLoop
import Messaging
import TestSupport
import Testing

/// The links of a test.
func plan(
    _ broker: PrivateBroker, _ channels: [LinkPlan.Channel], queues: [TopologyPlan.Queue] = [],
    bindings: [TopologyPlan.Binding] = [], exchanges: [TopologyPlan.Exchange] = []
) throws -> LinkPlan {
    var plan = LinkPlan(
        endpoints: try BrokerEndpoint.parseList(broker.url), name: "messaging-tests", channels: channels)
    plan.heartbeatSeconds = 10
    plan.topology = TopologyPlan(exchanges: exchanges, queues: queues, bindings: bindings, settle: 0)
    return plan
}

func quorum(_ name: String, _ more: [MessageHeader] = []) -> TopologyPlan.Queue {
    TopologyPlan.Queue(name, arguments: [MessageHeader("x-queue-type", .text("quorum"))] + more)
}

func text(_ text: String, id: String? = nil) -> Message {
    Message(body: Array(text.utf8), contentType: "text/plain", messageID: id)
}

extension BrokerLink {
    /// A link whose waits are all of middle length.
    convenience init(_ loop: Loop, _ plan: LinkPlan) {
        self.init(loop: loop, plan: plan, random: { 0.5 })
    }

    /// A started link that is up. Where its queue holds something, `onDelivery` must be told here: the first messages
    /// come right behind the broker's answer.
    static func up(
        _ loop: Loop, _ plan: LinkPlan, onDelivery: ((BrokerLink, Delivery) -> Void)? = nil
    ) async throws -> BrokerLink {
        let link = BrokerLink(loop, plan)
        if let onDelivery {
            link.onDelivery = { [unowned link] in onDelivery(link, $0) }
        }
        link.start()
        try await link.untilUp(within: 120_000_000_000)
        return link
    }
}

/// Waits until the queue stands so: a quorum queue tells its counts a moment after the event.
func depth(of queue: String, is expected: QueueDepth, _ link: BrokerLink, _ loop: Loop) async throws {
    var found: QueueDepth?
    for _ in 0..<200 {
        found = await link.queueDepth(queue)
        if found == expected { return }
        await loop.sleep(nanoseconds: 5_000_000)
    }
    #expect(found == expected)
}
