import EventLoop
import Messaging
import TestSupport
import Testing

/// A node with a certificate of its own making.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct TLSTests {
    @Test func `amqps trusts a given authority, checks the name, and carries everything plain does`() async throws {
        let files = try await certificates()
        let port = freePort()
        let broker = try await PrivateBroker.own(
            configuration: """
                listeners.ssl.default = 127.0.0.1:\(port)
                ssl_options.cacertfile = \(files)/ca.pem
                ssl_options.certfile = \(files)/server.pem
                ssl_options.keyfile = \(files)/server.key
                ssl_options.versions.1 = tlsv1.2
                ssl_options.versions.2 = tlsv1.3

                """)
        let queue = uniquePrefix()
        for host in ["localhost", "127.0.0.1"] {
            try await everything(
                "amqps://guest:guest@\(host):\(port)/%2F?cacertfile=\(files)/ca.pem", queue: queue)
        }
        for (url, words) in [
            ("amqps://localhost:\(port)?cacertfile=\(files)/other.pem", "not trusted"),
            ("amqps://localhost:\(port)", "not trusted"),
            ("amqps://localhost:\(port)?cacertfile=\(files)/none.pem", "no readable PEM file"),
            ("amqps://127.0.0.2:\(port)?cacertfile=\(files)/ca.pem&connection_timeout=1000", "127.0.0.2"),
            ("amqps://127.0.0.1:\(broker.port)?cacertfile=\(files)/ca.pem", "plain port"),
            ("amqp://127.0.0.1:\(port)?connection_timeout=2000", "amqps://"),
            ("amqps://127.0.0.1:\(freePort())", "Connection refused"),
        ] {
            let problem = try await firstProblem(url)
            #expect("\(problem)".contains(words), "\(url): \(problem)")
            #expect(!problem.isPermanent)
        }
        let unchecked = "amqps://localhost:\(port)?verify=verify_none"
        try await everything(unchecked, queue: queue)
        _ = try await ChildProcess.run("/bin/rm", ["-r", files])
    }

    private func everything(_ url: String, queue: String) async throws {
        var wanted = LinkPlan(
            endpoints: try BrokerEndpoint.parseList(url), name: "tls",
            channels: [.publishing, .consuming(.init(queue: queue, prefetch: 20))])
        wanted.topology = TopologyPlan(queues: [quorum(queue)], settle: 0)
        let links = wanted
        let delivered = Probe<Delivery>()
        let sizes = [0, 10, 40_000, 500_000, 3_000_000]
        try await onTestLoop { room in
            let link = try await BrokerLink.up(room.loop, links)
            link.onDelivery = { [unowned link] in
                link.ack($0.receipt)
                delivered.send($0)
            }
            let outcomes = Probe<PublishOutcome>()
            for (index, size) in sizes.enumerated() {
                let message = Message(body: [UInt8](repeating: UInt8(index), count: size))
                for _ in 0..<5 {
                    link.startPublish(message, exchange: "", routingKey: queue) { outcomes.send($0) }
                }
            }
            #expect(try await outcomes.next(25).allSatisfy { $0 == .confirmed })
            for delivery in try await delivered.next(25) {
                let index = try #require(sizes.firstIndex(of: delivery.bodyBytes))
                #expect(delivery.message.body == [UInt8](repeating: UInt8(index), count: sizes[index]))
            }
            #expect(link.connects == 1)
            await link.close()
        }
    }

    private func firstProblem(_ url: String) async throws -> LinkProblem {
        let links = LinkPlan(endpoints: try BrokerEndpoint.parseList(url), name: "tls", channels: [.publishing])
        return try await onTestLoop { room in
            let link = BrokerLink(room.loop, links)
            let problems = Probe<LinkProblem>()
            link.onStateChange = { if let problem = $0.problem { problems.send(problem) } }
            link.start()
            let problem = try await problems.next()
            await link.close()
            return problem
        }
    }

    /// An authority, a server's certificate for localhost and 127.0.0.1, and another authority.
    private func certificates() async throws -> String {
        let folder = try temporaryDirectory("tls")
        try write("subjectAltName=DNS:localhost,IP:127.0.0.1\n", to: folder + "/san.txt")
        let commands = [
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority",
            "req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=another-authority",
            "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=server",
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 "
                + "-extfile san.txt",
        ]
        for command in commands {
            let arguments = command.split(separator: " ").map(String.init)
            let result = try await ChildProcess.run("/usr/bin/openssl", arguments, directory: folder)
            try #require(result.exit == .status(0), "\(result.errors)")
        }
        return folder
    }
}
