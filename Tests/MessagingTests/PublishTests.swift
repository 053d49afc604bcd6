import EventLoop
import Messaging
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PublishTests {
    @Test func `a publish is confirmed, delivered with all its fields, and gone after its ack`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 10))], queues: [quorum(queue)])
        let delivered = Probe<Delivery>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { delivered.send($0) }
            let message = Message(
                body: Array("body".utf8), contentType: "application/json", messageID: "id-1", correlationID: "corr",
                replyTo: "reply", type: "charge.succeeded", timestamp: 1_700_000_000, persistent: true,
                headers: [
                    MessageHeader("x-chargeline-accepted", .int(1_700_000_000_123)), MessageHeader("text", .text("ü")),
                    MessageHeader("flag", .bool(true)), MessageHeader("negative", .int(-5)),
                ])
            #expect(await link.publish(message, exchange: "", routingKey: queue, mandatory: false) == .confirmed)
            let delivery = try await delivered.next()
            #expect(delivery.message == message)
            #expect(delivery.exchange == "")
            #expect(delivery.routingKey == queue)
            #expect(!delivery.redelivered && delivery.deliveryCount == 0 && delivery.consumer == 0)
            #expect(link.isOpen(delivery.receipt))
            link.ack(delivery.receipt)
            #expect(!link.isOpen(delivery.receipt))
            await link.close()
            #expect(link.state == .closed)

            let again = try await BrokerLink.up(room.loop, plan(broker, [.publishing]))
            #expect(await again.queueDepth(queue) == QueueDepth(messages: 0, consumers: 0))
            #expect(await again.queueDepth(queue + "-missing") == nil)
            #expect(await again.queueDepth(queue)?.messages == 0)
            await again.close()
        }
    }
}
