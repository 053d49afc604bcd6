import EventLoop
import Messaging
import TestSupport
import Testing

@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct TopologyTests {
    private func topology(_ prefix: String, ttl: Int64 = 1000, settle: Int64 = 300_000_000) -> TopologyPlan {
        let lane = quorum(
            "\(prefix).charges.a",
            [
                MessageHeader("x-dead-letter-exchange", .text("\(prefix).parked")),
                MessageHeader("x-dead-letter-strategy", .text("at-least-once")),
                MessageHeader("x-overflow", .text("reject-publish")), MessageHeader("x-delivery-limit", .int(20)),
            ])
        let wait = quorum("\(prefix).wait.1s", [MessageHeader("x-message-ttl", .int(ttl))])
        return TopologyPlan(
            exchanges: [
                .init(
                    "\(prefix).charges", type: "topic",
                    arguments: [MessageHeader("alternate-exchange", .text("\(prefix).parked"))]),
                .init("\(prefix).parked", type: "topic"),
            ],
            queues: [lane, wait].map {
                var queue = $0
                queue.marker = "\(prefix).made.\(queue.name)"
                return queue
            },
            bindings: [.init(queue: lane.name, exchange: "\(prefix).charges", routingKey: "a")], settle: settle)
    }

    @Test func `what is missing is declared once, and marked when it has aged`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        let plan = topology(prefix)
        let endpoints = try BrokerEndpoint.parseList(broker.url)
        try await onTestLoop { room in
            let missing = try await plan.check(on: room.loop, endpoints: endpoints, name: "check")
            #expect(missing.map(\.have) == ["missing", "missing", "missing", "missing"])
            #expect(missing.map(\.object) == ["exchange", "exchange", "queue", "queue"])

            let began = LoopClock.monotonic()
            let made = try await plan.declare(on: room.loop, endpoints: endpoints, name: "declare")
            #expect(made == ["\(prefix).charges.a", "\(prefix).wait.1s"])
            // Its lower bound is the promise.
            #expect(LoopClock.monotonic() - began >= plan.settle)
            #expect(try await plan.check(on: room.loop, endpoints: endpoints, name: "check") == [])
            #expect(try await plan.declare(on: room.loop, endpoints: endpoints, name: "declare") == [])

            let link = try await BrokerLink.up(room.loop, MessagingTests.plan(broker, [.publishing]))
            let sent = await link.publish(text("x"), exchange: "\(prefix).charges", routingKey: "a")
            #expect(sent == .confirmed)
            #expect(await link.queueDepth("\(prefix).charges.a")?.messages == 1)
            await link.close()
        }
    }

    @Test func `a queue that exists with other arguments is named, with what it has`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        let endpoints = try BrokerEndpoint.parseList(broker.url)
        let before = topology(prefix, settle: 0)
        var after = topology(prefix, ttl: 5000, settle: 0)
        after.exchanges[1].type = "direct"
        after.queues[0].arguments.removeAll { $0.name == "x-dead-letter-strategy" }
        after.queues[0].arguments.append(MessageHeader("x-message-ttl", .int(7)))
        after.queues[0].arguments.append(MessageHeader("x-expires", .int(70_000)))
        let changed = after
        try await onTestLoop { room in
            _ = try await before.declare(on: room.loop, endpoints: endpoints, name: "declare")
            let found = try await changed.check(on: room.loop, endpoints: endpoints, name: "check")
            let lines = found.map { "\($0.argument) \($0.have) \($0.want)" }
            #expect(lines.first == "type topic direct")
            #expect(
                Set(lines.dropFirst().dropLast()) == [
                    "x-dead-letter-strategy at-least-once none", "x-message-ttl none 7", "x-expires none 70000",
                ])
            #expect(lines.last == "x-message-ttl 1000 5000")
            #expect(found.last?.name == "\(prefix).wait.1s")
            #expect(found.last?.description.contains("rabbitmqctl delete_queue \(prefix).wait.1s") == true)

            var links = try MessagingTests.plan(broker, [.publishing])
            links.topology = topology(prefix, ttl: 5000, settle: 0)
            let link = BrokerLink(room.loop, links)
            link.start()
            let problem = await #expect(throws: LinkProblem.self) { try await link.untilUp(within: 10_000_000_000) }
            guard case .mismatch(let mismatch) = problem?.kind else { return #expect(Bool(false), "\(problem as Any)") }
            #expect(mismatch.name == "\(prefix).wait.1s" && mismatch.have == "1000" && mismatch.want == "5000")
            guard case .refused = link.state else { return #expect(Bool(false), "\(link.state)") }
            await link.close()
        }
    }

    @Test func `a queue that is gone though its marker exists is not made again by itself`() async throws {
        let broker = try await PrivateBroker.shared()
        guard broker.directory != nil else { return }
        let prefix = uniquePrefix()
        let plan = topology(prefix, settle: 0)
        let endpoints = try BrokerEndpoint.parseList(broker.url)
        try await onTestLoop { room in
            _ = try await plan.declare(on: room.loop, endpoints: endpoints, name: "declare")
            try await broker.ctl(["delete_queue", "\(prefix).wait.1s"])
            let found = try await plan.check(on: room.loop, endpoints: endpoints, name: "check")
            #expect(found.map(\.have) == ["gone (its marker exists)"])
            let problem = await #expect(throws: LinkProblem.self) {
                try await plan.declare(on: room.loop, endpoints: endpoints, name: "declare")
            }
            #expect(problem?.kind == .queueGone("\(prefix).wait.1s") && problem?.isPermanent == true)
            var again = plan
            again.remakesQueues = true
            let remaking = again
            let made = try await remaking.declare(on: room.loop, endpoints: endpoints, name: "declare")
            #expect(made == ["\(prefix).wait.1s"])
            #expect(try await plan.check(on: room.loop, endpoints: endpoints, name: "check") == [])
        }
    }

    @Test func `an exclusive queue goes with its link`() async throws {
        let broker = try await PrivateBroker.shared()
        let prefix = uniquePrefix()
        let watch = TopologyPlan.Queue(
            "\(prefix).watch", arguments: [MessageHeader("x-max-length", .int(10))], isDurable: false,
            isExclusive: true, isAutoDelete: true)
        let link = try plan(
            broker, [.publishing, .consuming(.init(queue: watch.name, prefetch: 5))], queues: [watch],
            bindings: [.init(queue: watch.name, exchange: "\(prefix).x", routingKey: "#")],
            exchanges: [.init("\(prefix).x", type: "topic")])
        let delivered = Probe<Delivery>()
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, link)
            link.onDelivery = { delivered.send($0) }
            #expect(await link.publish(text("x"), exchange: "\(prefix).x", routingKey: "a.b") == .confirmed)
            let delivery = try await delivered.next()
            #expect(delivery.exchange == "\(prefix).x" && delivery.routingKey == "a.b")
            await link.close()
            let other = try await BrokerLink.up(room.loop, plan(broker, [.publishing]))
            #expect(await other.queueDepth(watch.name) == nil)
            await other.close()
        }
    }
}
