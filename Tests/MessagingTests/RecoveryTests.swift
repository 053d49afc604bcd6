import EventLoop
import Messaging
import TestSupport
import Testing

/// What happens when the broker is killed, frozen, out of memory. One node for all, so one test after the other.
@Suite(.serialized, .takesTurns, .timeLimit(.minutes(8)))
struct RecoveryTests {
    private static let node = Task { try await PrivateBroker.own() }

    @Test func `after kill -9 and restart consumers are back, late acks are harmless, nothing confirmed is lost`()
        async throws
    {
        let broker = try await Self.node.value
        let queue = uniquePrefix()
        var wanted = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 8))], queues: [quorum(queue)])
        // A quorum queue is not safe from a crash in its first second.
        wanted.topology?.queues[0].marker = "made.\(queue)"
        wanted.topology?.settle = 2_000_000_000
        let links = wanted
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, links)
            let delivered = Probe<Delivery>()
            let states = Probe<LinkState>()
            link.onDelivery = { delivered.send($0) }
            link.onStateChange = { states.send($0) }
            for number in 0..<20 {
                #expect(await link.publish(text("\(number)"), exchange: "", routingKey: queue) == .confirmed)
            }
            let held = try await delivered.next(8)
            let given = Set(held.map { String(decoding: $0.message.body, as: UTF8.self) })
            let outcomes = Probe<PublishOutcome>()
            for _ in 0..<50 { link.startPublish(text("late"), exchange: "", routingKey: queue) { outcomes.send($0) } }
            try await broker.kill()
            _ = try await states.first { $0.problem != nil }
            #expect(held.allSatisfy { !link.isOpen($0.receipt) })
            let late = try await outcomes.next(50)
            #expect(late.allSatisfy { $0 == .confirmed || $0 == .lost || $0 == .notSent(.disconnected) })
            #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .notSent(.disconnected))
            try await broker.start()
            _ = try await states.first { $0 == .ready }
            for delivery in held { link.ack(delivery.receipt) }
            var seen: Set<String> = []
            while seen.count < 20 {
                let delivery = try await delivered.next()
                #expect(link.isOpen(delivery.receipt))
                let body = String(decoding: delivery.message.body, as: UTF8.self)
                if body != "late" {
                    // The flag is a hint: after a crash others may carry it too.
                    if given.contains(body) { #expect(delivery.redelivered) }
                    seen.insert(body)
                }
                link.ack(delivery.receipt)
            }
            #expect(link.connects == 2 && link.state == .ready)
            await link.close()
        }
    }

    @Test func `under a memory alarm publishes are refused at once, acks go on, and all is well after it`() async throws
    {
        let broker = try await Self.node.value
        let queue = uniquePrefix()
        let publishing = try plan(broker, [.publishing], queues: [quorum(queue)])
        let consuming = try plan(broker, [.consuming(.init(queue: queue, prefetch: 5))], queues: [quorum(queue)])
        try await onTestLoop { room in
            let publisher = try await BrokerLink.up(room.loop, publishing)
            for _ in 0..<10 {
                #expect(await publisher.publish(text("x"), exchange: "", routingKey: queue) == .confirmed)
            }
            let states = Probe<LinkState>()
            publisher.onStateChange = { states.send($0) }
            try await broker.ctl(["set_vm_memory_high_watermark", "0.00001"])
            let outcomes = Probe<PublishOutcome>()
            // The broker looks at its memory once a second, and tells only those who publish after that.
            while publisher.state == .ready {
                publisher.startPublish(text("x"), exchange: "", routingKey: queue) { outcomes.send($0) }
                await room.loop.sleep(nanoseconds: 20_000_000)
            }
            let words = "low on memory"
            #expect(try await states.next() == .blocked(words))
            let waiting = publisher.outstandingPublishes
            #expect(waiting > 0)
            for _ in 0..<1000 {
                let outcome = await publisher.publish(text("x"), exchange: "", routingKey: queue)
                if outcome != .notSent(.blocked(words)) { Issue.record("\(outcome)") }
            }
            // Ten messages with a prefetch of five: the second five come only if acks are heard.
            let delivered = Probe<Delivery>()
            let consumer = try await BrokerLink.up(room.loop, consuming) { link, delivery in
                link.ack(delivery.receipt)
                delivered.send(delivery)
            }
            consumer.setPrefetch(4, consumer: 0)
            _ = try await delivered.next(10)
            #expect(publisher.state == .blocked(words) && publisher.outstandingPublishes > 0)
            try await broker.ctl(["set_vm_memory_high_watermark", "0.4"])
            #expect(try await states.next() == .ready)
            for _ in 0..<waiting { #expect(try await outcomes.next() == .confirmed) }
            #expect(await publisher.publish(text("x"), exchange: "", routingKey: queue) == .confirmed)
            _ = try await delivered.next(2)
            #expect(publisher.connects == 1)
            await publisher.close()
            await consumer.close()
        }
    }

    @Test func `a frozen broker is given up after two heartbeats, and the loop never waits for it`() async throws {
        let broker = try await Self.node.value
        let queue = uniquePrefix()
        var wanted = try plan(
            broker, [.publishing, .consuming(.init(queue: queue, prefetch: 5))], queues: [quorum(queue)])
        wanted.limits.unconfirmedBytesMax = 64 * 1024 * 1024
        wanted.heartbeatSeconds = 2
        let links = wanted
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, links)
            let states = Probe<LinkState>()
            link.onStateChange = { states.send($0) }
            try await broker.freeze(true)
            let outcomes = Probe<PublishOutcome>()
            // Far more than all buffers on the way take.
            let body = [UInt8](repeating: 1, count: 1_000_000)
            for _ in 0..<30 {
                link.startPublish(Message(body: body), exchange: "", routingKey: queue) { outcomes.send($0) }
            }
            var turns = 0
            let counter = Task(executorPreference: room.loop) { await room.count(until: outcomes) }
            _ = try await states.first { $0.problem?.kind == .silent }
            turns = await counter.value
            // 4 seconds of 1 ms steps: hundreds of turns, or a handful if anything waited.
            #expect(turns > 200)
            let ends = try await outcomes.next(30)
            #expect(ends.allSatisfy { $0 == .lost || $0 == .notSent(.disconnected) })
            #expect(ends.contains(.notSent(.disconnected)))
            try await broker.freeze(false)
            _ = try await states.first { $0 == .ready }
            #expect(await link.publish(text("x"), exchange: "", routingKey: queue) == .confirmed)
            await link.close()
        }
    }

    @Test func `a clean stop is the broker's word, and a broker that appears is found`() async throws {
        let broker = try await Self.node.value
        let links = try plan(broker, [.publishing])
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, links)
            let states = Probe<LinkState>()
            link.onStateChange = { states.send($0) }
            try await broker.stop()
            let lost = try await states.first { $0.problem != nil }
            #expect(lost.problem?.kind == .closedByBroker, "\(lost)")
            #expect(lost.problem?.text.contains("shutdown") == true)
            _ = try await states.first { $0.problem?.kind == .unreachable }
            let second = BrokerLink(room.loop, links)
            second.start()
            try await broker.start()
            try await second.untilUp(within: 120_000_000_000)
            try await link.untilUp(within: 120_000_000_000)
            await link.close()
            await second.close()
        }
    }
}

extension LoopRoom {
    /// Counts steps of a millisecond until something came, which it puts back.
    func count<Value>(until probe: Probe<Value>) async -> Int {
        let came = Flag()
        let waiting = Task(executorPreference: loop) {
            if let value = try? await probe.next() {
                probe.send(value)
                came.isRaised = true
            }
        }
        var steps = 0
        while !came.isRaised {
            await loop.sleep(nanoseconds: 1_000_000)
            steps += 1
        }
        await waiting.value
        return steps
    }
}

private final class Flag: @unchecked Sendable {
    // Only ever touched on one loop's thread.
    var isRaised = false
}
