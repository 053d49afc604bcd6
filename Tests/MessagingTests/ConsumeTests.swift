import EventLoop
import Messaging
import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct ConsumeTests {
    @Test func `large bodies on two consumers at once arrive whole`() async throws {
        let broker = try await PrivateBroker.shared()
        let queues = [uniquePrefix(), uniquePrefix()]
        let link = try plan(
            broker,
            [
                .consuming(.init(queue: queues[0], prefetch: 50)), .publishing,
                .consuming(.init(queue: queues[1], prefetch: 50)),
            ], queues: queues.map { quorum($0) })
        let delivered = Probe<Delivery>()
        // Around the frame size of 128 KiB, where an off-by-one would show. Made here, as the loop must not be busy.
        let bodies = [0, 1, 131_063, 131_064, 131_065, 262_128, 400_000, 1_000_000].map { size in
            (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 + size) }
        }
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { [unowned link] in
                delivered.send($0)
                link.ack($0.receipt)
            }
            for body in bodies {
                for queue in queues {
                    link.startPublish(Message(body: body), exchange: "", routingKey: queue) {
                        #expect($0 == .confirmed)
                    }
                }
            }
            for delivery in try await delivered.next(bodies.count * 2) {
                #expect(delivery.bodyBytes == delivery.message.body.count && !delivery.isTooLarge)
                #expect(bodies.contains(delivery.message.body))
                #expect(queues[delivery.consumer] == delivery.routingKey)
            }
            await link.close()
        }
    }

    @Test func `a body over the limit comes without it, and the next one comes whole`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        var wanted = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 5))], queues: [quorum(queue)])
        wanted.limits.receivedBytesMax = 1000
        let link = wanted
        let delivered = Probe<Delivery>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { delivered.send($0) }
            for size in [300_000, 1000] {
                let message = Message(body: [UInt8](repeating: 1, count: size), messageID: "m\(size)")
                #expect(await link.publish(message, exchange: "", routingKey: queue) == .confirmed)
            }
            let large = try await delivered.next()
            #expect(large.isTooLarge && large.bodyBytes == 300_000 && large.message.messageID == "m300000")
            let whole = try await delivered.next()
            #expect(!whole.isTooLarge && whole.message.body.count == 1000)
            await link.close()
        }
    }

    @Test func `prefetch bounds what is out, and can be changed`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 3))], queues: [quorum(queue)])
        let delivered = Probe<Delivery>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { delivered.send($0) }
            for _ in 0..<20 { #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .confirmed) }
            var held = try await delivered.next(3)
            try await depth(of: queue, is: QueueDepth(messages: 17, consumers: 1), link, room.loop)
            link.setPrefetch(5, consumer: 0)
            // The limit is per consumer: the three of the one that ended do not count.
            held += try await delivered.next(5)
            try await depth(of: queue, is: QueueDepth(messages: 12, consumers: 2), link, room.loop)
            for delivery in held {
                #expect(link.isOpen(delivery.receipt))
                link.ack(delivery.receipt)
            }
            _ = try await delivered.next(5)
            #expect(link.state == .ready && link.connects == 1)
            await link.close()
        }
    }

    @Test func `acks in any order settle all, with multiple where it fits`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 64))], queues: [quorum(queue)])
        let acked = Probe<Int>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            var held: [Delivery] = []
            var count = 0
            var random = SeededGenerator(seed: 3)
            link.onDelivery = { [unowned link] delivery in
                held.append(delivery)
                guard held.count >= 24 else { return }
                while held.count > 8 {
                    let next = held.remove(at: Int(random.next() % UInt64(held.count)))
                    link.ack(next.receipt)
                    // Twice is once.
                    link.ack(next.receipt)
                    count += 1
                }
                acked.send(count)
            }
            for _ in 0..<1000 {
                link.startPublish(text("x"), exchange: "", routingKey: queue) { #expect($0 == .confirmed) }
            }
            _ = try await acked.first { $0 >= 980 }
            #expect(link.state == .ready && link.connects == 1)
            // A broker under load keeps acks of a channel back and forgets them when it closes: they must have arrived.
            repeat {
                for delivery in held { link.ack(delivery.receipt) }
                count += held.count
                held = []
            } while try await broker.unacked(in: queue) != 0 || !held.isEmpty
            await link.close()
            let after = try await BrokerLink.up(room.loop, plan(broker, [.publishing]))
            let left = QueueDepth(messages: 1000 - count, consumers: 0)
            try await depth(of: queue, is: left, after, room.loop)
            await after.close()
        }
    }

    @Test func `a paused consumer gets nothing more, a resumed one does`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 10))], queues: [quorum(queue)])
        let delivered = Probe<Delivery>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { delivered.send($0) }
            #expect(await link.publish(text("1"), exchange: "", routingKey: queue) == .confirmed)
            let first = try await delivered.next()
            link.pauseConsuming(0)
            link.pauseConsuming(0)
            #expect(await link.publish(text("2"), exchange: "", routingKey: queue) == .confirmed)
            // A consumer that ended is counted while it holds something.
            try await depth(of: queue, is: QueueDepth(messages: 1, consumers: 1), link, room.loop)
            #expect(link.state == .ready)
            // What was given out before stays ours.
            #expect(link.isOpen(first.receipt))
            link.ack(first.receipt)
            try await depth(of: queue, is: QueueDepth(messages: 1, consumers: 0), link, room.loop)
            for _ in 0..<5 {
                link.resumeConsuming(0)
                link.pauseConsuming(0)
            }
            link.resumeConsuming(0)
            let second = try await delivered.next()
            #expect(second.message.body == Array("2".utf8))
            link.ack(second.receipt)
            try await depth(of: queue, is: QueueDepth(messages: 0, consumers: 1), link, room.loop)
            #expect(link.connects == 1)
            await link.close()
        }
    }

    @Test func `a deleted queue is noticed, and consumed again when it is back`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(broker, [.consuming(.init(queue: queue, prefetch: 10))], queues: [quorum(queue)])
        let cancelled = Probe<Int>()
        let states = Probe<LinkState>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onConsumerCancelled = { cancelled.send($0) }
            link.onStateChange = { states.send($0) }
            if broker.directory == nil { return }
            try await broker.ctl(["delete_queue", queue])
            #expect(try await cancelled.next() == 0)
            guard case .lost(let problem) = try await states.next() else { return }
            #expect(problem.kind == .missing(queue))
            let other = try await BrokerLink.up(
                room.loop, plan(broker, [.publishing], queues: [quorum(queue)]))
            var trouble: [LinkState] = []
            while let state = try? await states.next(), state != .ready { trouble.append(state) }
            #expect(await other.queueDepth(queue)?.consumers == 1)
            #expect(link.connects == 1, "\(trouble)")
            await other.close()
            await link.close()
        }
    }

    @Test func `a second consumer of an exclusive one is told who stands in its way`() async throws {
        let broker = try await PrivateBroker.shared()
        let queue = uniquePrefix()
        let link = try plan(
            broker, [.consuming(.init(queue: queue, prefetch: 10, isExclusive: true))],
            queues: [.init(queue, arguments: [])])
        try await onTestLoop { room in
            let first = try await BrokerLink.up(room.loop, link)
            let second = BrokerLink(room.loop, link)
            second.start()
            let problem = await #expect(throws: LinkProblem.self) { try await second.untilUp(within: 2_000_000_000) }
            #expect(problem?.kind == .locked)
            await first.close()
            try await second.untilUp(within: 10_000_000_000)
            await second.close()
        }
    }
}
