import EventLoop
import Messaging
import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
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

    @Test func `a mandatory publish without a queue is returned, and its neighbours are not`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(broker, [.publishing], queues: [quorum(queue)])
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            let outcomes = Probe<String>()
            for number in 0..<40 {
                let key = number % 4 == 1 ? "nowhere.\(queue)" : queue
                let body = Message(body: [UInt8](repeating: 7, count: number % 3 * 200_000))
                link.startPublish(body, exchange: "", routingKey: key) { outcomes.send("\(number) \($0)") }
            }
            let expected = (0..<40).map {
                "\($0) " + ($0 % 4 == 1 ? "returned(code: 312, text: \"NO_ROUTE\")" : "confirmed")
            }
            #expect(Set(try await outcomes.next(40)) == Set(expected))
            // Not mandatory: confirmed and gone.
            #expect(
                await link.publish(text("x"), exchange: "", routingKey: "no.\(queue)", mandatory: false) == .confirmed)
            #expect(await link.queueDepth(queue)?.messages == 30)
            #expect(link.outstandingPublishes == 0)
            await link.close()
        }
    }

    @Test func `a full queue nacks`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let full = quorum(
            queue, [MessageHeader("x-max-length", .int(2)), MessageHeader("x-overflow", .text("reject-publish"))])
        let link = try plan(broker, [.publishing], queues: [full])
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            var outcomes: [PublishOutcome] = []
            while outcomes.count < 10, outcomes.last != .nacked {
                outcomes.append(await link.publish(text("x"), exchange: "", routingKey: queue))
            }
            #expect(outcomes.first == .confirmed && outcomes.last == .nacked)
            await link.close()
        }
    }

    @Test func `what AMQP cannot carry is refused before a byte of it is sent`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        var wanted = try plan(broker, [.publishing], queues: [quorum(queue)])
        wanted.limits.bodyBytesMax = 1000
        let link = wanted
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            let long = String(repeating: "x", count: 256)
            let many = (0..<200).map { MessageHeader("header-\($0)", .text(String(repeating: "v", count: 100))) }
            let bad = [
                text("x", id: long), Message(body: [], contentType: long), Message(body: [], correlationID: long),
                Message(body: [], replyTo: long), Message(body: [], type: long),
                Message(body: [], headers: [MessageHeader(long, .int(1))]), Message(body: [], headers: many),
                Message(body: [UInt8](repeating: 0, count: 1001)),
            ]
            for message in bad {
                let outcome = await link.publish(message, exchange: "", routingKey: queue)
                guard case .notSent(.tooLarge) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                // The connection is as good as before.
                #expect(await link.publish(text("good"), exchange: "", routingKey: queue) == .confirmed)
            }
            let key = await link.publish(text("x"), exchange: "", routingKey: long)
            #expect(key == .notSent(.tooLarge("a name or property of over 255 bytes")))
            #expect(await link.queueDepth(queue)?.messages == bad.count)
            #expect(link.connects == 1 && link.state == .ready)
            await link.close()
        }
    }

    @Test func `a missing exchange closes the channel, which opens again`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(broker, [.publishing], queues: [quorum(queue)])
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            let states = Probe<LinkState>()
            link.onStateChange = { states.send($0) }
            #expect(await link.publish(text("x"), exchange: "no.\(queue)", routingKey: queue) == .lost)
            guard case .lost(let problem) = try await states.next() else {
                Issue.record("no loss")
                return
            }
            #expect(problem.text.contains("no exchange 'no.\(queue)'"))
            #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .notSent(.disconnected))
            #expect(try await states.next() == .ready)
            #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .confirmed)
            #expect(link.connects == 1)
            await link.close()
        }
    }

    @Test func `a burst over the window waits in memory, and is refused over the bound`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        var wanted = try plan(broker, [.publishing], queues: [quorum(queue)])
        wanted.limits.unconfirmedBytesMax = 20_000
        wanted.limits.queuedBytesMax = 200_000
        let link = wanted
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            let outcomes = Probe<PublishOutcome>()
            for _ in 0..<300 {
                link.startPublish(Message(body: [UInt8](repeating: 1, count: 1000)), exchange: "", routingKey: queue) {
                    outcomes.send($0)
                }
            }
            let all = try await outcomes.next(300)
            let confirmed = all.count { $0 == .confirmed }
            let refused = all.count { $0 == .notSent(.full) }
            #expect(confirmed + refused == 300)
            #expect((150..<190).contains(confirmed))
            #expect(await link.queueDepth(queue)?.messages == confirmed)
            await link.close()
            #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .notSent(.closed))
        }
    }

    @Test func `no hop to another thread while publishing and acking`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 100))], queues: [quorum(queue)])
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { [unowned link] in link.ack($0.receipt) }
            let before = room.loop.foreignEnqueues
            for _ in 0..<1000 {
                let outcome = await link.publish(text("x"), exchange: "", routingKey: queue)
                if outcome != .confirmed { Issue.record("\(outcome)") }
            }
            #expect(room.loop.foreignEnqueues == before)
            await link.close()
        }
    }
}
