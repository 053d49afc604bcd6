import EventLoop
import Messaging
import TestSupport
import Testing

/// Brokers that are not there, do not answer, or do not want us.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct RefusalTests {
    private func problem(_ url: String, _ change: @Sendable (inout LinkPlan) -> Void = { _ in }) async throws
        -> LinkProblem?
    {
        var wanted = LinkPlan(endpoints: try BrokerEndpoint.parseList(url), name: "refusals", channels: [.publishing])
        change(&wanted)
        let plan = wanted
        return try await onTestLoop { room in
            let link = BrokerLink(room.loop, plan)
            let states = Probe<LinkState>()
            link.onStateChange = { states.send($0) }
            link.start()
            let state = try await states.first { $0.problem != nil }
            #expect(await link.publish(text("x"), exchange: "", routingKey: "q") == .notSent(.disconnected))
            await link.close()
            return state.problem
        }
    }

    @Test func `a closed port says so in the kernel's words`() async throws {
        let closed = RefusingPort()
        defer { closed.close() }
        let problem = try await problem("amqp://127.0.0.1:\(closed.number)")
        #expect(problem?.kind == .unreachable && problem?.text.contains("Connection refused") == true)
    }

    @Test func `an unknown name says so`() async throws {
        let problem = try await problem("amqp://no-such-host.invalid")
        #expect(problem?.kind == .unreachable && problem?.text.contains("looked up") == true)
    }

    @Test func `a wrong password and a wrong virtual host are permanent`() async throws {
        let broker = try await PrivateBroker.shared()
        let password = try await problem("amqp://guest:wr0ng@127.0.0.1:\(broker.port)")
        #expect(password?.kind == .credentials && password?.isPermanent == true)
        #expect(password?.description.contains("wr0ng") == false)
        let vhost = try await problem("amqp://guest:guest@127.0.0.1:\(broker.port)/nowhere")
        #expect(vhost?.kind == .vhost && vhost?.isPermanent == true)
    }

    @Test func `a user without rights is refused`() async throws {
        let broker = try await PrivateBroker.shared()
        guard broker.directory != nil else { return }
        let user = uniquePrefix()
        try await broker.ctl(["add_user", user, "pw"])
        try await broker.ctl(["set_permissions", user, "^$", "^$", "^$"])
        let name = uniquePrefix()
        let found = try await problem("amqp://\(user):pw@127.0.0.1:\(broker.port)") {
            $0.topology = TopologyPlan(queues: [quorum(name)])
        }
        #expect(found?.kind == .permission && found?.isPermanent == true)
        #expect(found?.text.contains(name) == true)
    }

    @Test func `a silent peer is given up, and the loop turns meanwhile`() async throws {
        let silent = ListeningSocket()
        defer { silent.close() }
        let endpoints = try BrokerEndpoint.parseList("amqp://127.0.0.1:\(silent.port)?connection_timeout=700")
        try await onTestLoop { room in
            let link = BrokerLink(
                room.loop, LinkPlan(endpoints: endpoints, name: "silent", channels: [.publishing]))
            let states = Probe<LinkState>()
            link.onStateChange = { states.send($0) }
            link.start()
            for _ in 0..<20 { await room.loop.sleep(nanoseconds: 1_000_000) }
            #expect(link.state == .connecting)
            let state = try await states.first { $0.problem != nil }
            #expect(state.problem?.kind == .silent)
            await link.close()
            // Closing while the helper hangs again waits for nobody.
            let second = BrokerLink(
                room.loop, LinkPlan(endpoints: endpoints, name: "silent", channels: [.publishing]))
            second.start()
            await second.close()
            #expect(second.state == .closed)
        }
    }

    @Test func `a peer that speaks something else is told apart`() async throws {
        let listener = ListeningSocket()
        onHelperThread {
            let peer = listener.accept()
            answer(peer, "HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let problem = try await problem("amqp://127.0.0.1:\(listener.port)?connection_timeout=2000")
        #expect(problem?.kind == .cut)
        listener.close()
    }

    @Test func `the next address of the list is tried at once`() async throws {
        let broker = try await PrivateBroker.shared()
        let silent = ListeningSocket()
        let closed = RefusingPort()
        defer {
            silent.close()
            closed.close()
        }
        let url =
            "amqp://127.0.0.1:\(closed.number),amqp://127.0.0.1:\(silent.port)?connection_timeout=300,\(broker.url)"
        let endpoints = try BrokerEndpoint.parseList(url)
        try await onTestLoop { room in
            let link = try await BrokerLink.up(
                room.loop, LinkPlan(endpoints: endpoints, name: "list", channels: [.publishing]))
            #expect(link.server?.product == "RabbitMQ" && link.connects == 1)
            await link.close()
        }
    }

    @Test func `a plan that cannot work is refused at the start`() async throws {
        let problem = try await problem("amqp://127.0.0.1") {
            $0.channels = [.publishing, .consuming(.init(queue: "q", prefetch: 0))]
        }
        #expect(problem?.kind == .invalid)
    }
}
