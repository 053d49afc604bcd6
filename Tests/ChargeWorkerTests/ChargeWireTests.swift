import Charging
import Messaging
import Testing

@testable import ChargeWire

struct ChargeTopologyTests {
    private let topology = ChargeTopology(
        prefix: "chargeline", lanes: ["checkout", "batch"],
        tiers: [WaitTier(milliseconds: 1000), WaitTier(milliseconds: 600_000)])

    private func arguments(_ queue: String) -> [String: String] {
        let found = topology.plan.queues.first { $0.name == queue }
        return Dictionary(uniqueKeysWithValues: (found?.arguments ?? []).map { ($0.name, $0.value.description) })
    }

    @Test func `every queue is a quorum queue with a marker`() {
        for queue in topology.plan.queues {
            #expect(arguments(queue.name)["x-queue-type"] == "quorum")
            #expect(queue.marker == "chargeline.made." + queue.name.dropFirst("chargeline.".count))
            #expect(queue.isDurable)
        }
        #expect(
            topology.plan.queues.map(\.name) == [
                "chargeline.parked", "chargeline.results", "chargeline.charges.checkout", "chargeline.again.checkout",
                "chargeline.charges.batch", "chargeline.again.batch", "chargeline.wait.1s", "chargeline.wait.600s",
            ])
    }

    @Test func `dead-lettering is at least once, wherever there is any`() {
        for queue in topology.plan.queues {
            let arguments = arguments(queue.name)
            guard arguments["x-dead-letter-exchange"] != nil else { continue }
            #expect(arguments["x-dead-letter-strategy"] == "at-least-once")
            #expect(arguments["x-overflow"] == "reject-publish")
        }
        #expect(arguments("chargeline.parked")["x-dead-letter-exchange"] == nil)
    }

    @Test func `a wait queue keeps the routing key, so that a charge comes back to its lane`() {
        let wait = arguments("chargeline.wait.600s")
        #expect(wait["x-message-ttl"] == "600000")
        #expect(wait["x-dead-letter-exchange"] == "chargeline.charges")
        #expect(wait["x-dead-letter-routing-key"] == nil)
        #expect(topology.plan.bindings.contains { $0.queue == "chargeline.again.batch" && $0.routingKey == "*.batch" })
    }

    @Test func `nothing limits the length of a lane, and nothing expires`() {
        for queue in topology.plan.queues {
            #expect(arguments(queue.name)["x-max-length"] == nil)
            #expect(arguments(queue.name)["x-expires"] == nil)
        }
    }

    @Test func `delivery limits are integers: as text RabbitMQ ignores them`() {
        for queue in topology.plan.queues {
            for argument in queue.arguments where argument.name == "x-delivery-limit" {
                #expect(argument.value.int != nil)
            }
        }
        #expect(arguments("chargeline.charges.batch")["x-delivery-limit"] == "20")
        #expect(arguments("chargeline.charges.batch")["x-dead-letter-routing-key"] == "batch.delivery-limit")
    }

    @Test func `without a results queue there is none`() {
        let none = ChargeTopology(prefix: "p", lanes: ["a"], tiers: [], keepsResults: false)
        #expect(!none.plan.queues.contains { $0.name == "p.results" })
        #expect(none.plan.exchanges.contains { $0.name == "p.results" })
    }
}

struct ChargeMessagesTests {
    private let topology = ChargeTopology(prefix: "p", lanes: ["a"], tiers: [WaitTier(milliseconds: 1000)])

    private func delivery(_ headers: ChargeHeaders) -> ChargeDelivery {
        var delivery = ChargeDelivery(
            body: [1, 2], lane: "a", headers: headers, handle: DeliveryHandle(epoch: 1, channel: 2, tag: 3))
        delivery.messageID = "x"
        delivery.correlationID = "c"
        delivery.replyTo = "r"
        delivery.timestamp = 1_780_000_000
        return delivery
    }

    private func full() -> ChargeHeaders {
        var headers = ChargeHeaders(accepted: 1_780_000_000_123)
        headers.firstSent = 1
        headers.lastSent = 2
        headers.attempts = 3
        headers.lookups = 4
        headers.phase = .lookup
        headers.flow = .charges
        headers.encoding = 1
        headers.caller = "shop"
        headers.suspect = 5
        headers.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        return headers
    }

    @Test func `headers come back as they were sent`() {
        var read = ChargeHeaders()
        for header in full().messageHeaders {
            switch header.value {
            case .int(let number): #expect(take(&read, header.name, .int(number)))
            case .text(let text): #expect(take(&read, header.name, .text(text)))
            default: Issue.record("\(header.name) is neither integer nor text")
            }
        }
        #expect(read == full())
    }

    private func take(_ headers: inout ChargeHeaders, _ name: String, _ value: Charging.HeaderValue) -> Bool {
        headers.take(name, value)
    }

    @Test func `a republish carries our own fields and no others`() {
        let routed = topology.message(for: .wait(WaitTier(milliseconds: 1000), delivery(full()), full()))
        #expect(routed.exchange == "p.wait")
        #expect(routed.routingKey == "1s.a")
        #expect(routed.message.persistent)
        #expect(routed.message.messageID == "x")
        #expect(routed.message.replyTo == "r")
        #expect(routed.message.timestamp == 1_780_000_000)
        #expect(routed.message.headers.allSatisfy { $0.name.hasPrefix("x-chargeline-") || $0.name == "traceparent" })
    }

    @Test func `a parked message says why, and may have another body`() {
        let routed = topology.message(for: .park(.cardNumber, delivery(full()), full(), body: [9]))
        #expect(routed.exchange == "p.parked")
        #expect(routed.routingKey == "a.card-number")
        #expect(routed.message.body == [9])
        #expect(routed.message[header: "x-chargeline-reason"] == .text("card-number"))
    }

    @Test(arguments: ["x-chargeline-attempts", "x-chargeline-first-sent", "x-chargeline-phase", "x-chargeline-flow"])
    func `a header of ours of another type is not passed over`(name: String) {
        var headers = ChargeHeaders()
        let wrong: Charging.HeaderValue = name.hasSuffix("phase") || name.hasSuffix("flow") ? .text("?") : .text("12")
        #expect(!take(&headers, name, wrong))
    }

    @Test func `headers of others are passed over`() {
        var headers = ChargeHeaders()
        #expect(take(&headers, "x-death", .text("anything")))
        #expect(take(&headers, "their-own", .int(1)))
        #expect(headers == ChargeHeaders())
    }
}
