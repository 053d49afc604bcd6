import ChargeWire
import Charging
import EventLoop
import Glibc
import JSONText
import Messaging
import TestSupport
import Testing

/// The program as a process, on a prefix that no other test uses, with a hand at the other end of the broker.
struct ToolRig: Sendable {
    let prefix = uniquePrefix()
    let folder: String
    let broker: PrivateBroker
    let topology: ChargeTopology
    var environment: [String: String]

    init(own broker: PrivateBroker? = nil, settle: String = "0s") async throws {
        let broker = if let broker { broker } else { try await PrivateBroker.shared() }
        self.broker = broker
        folder = try temporaryDirectory("tools")
        topology = ChargeTopology(
            prefix: prefix, lanes: ["checkout", "batch"], tiers: [WaitTier(milliseconds: 1000)],
            settle: settle == "0s" ? 0 : 2_000_000_000)
        environment = [
            "AMQP_URL": broker.url, "CHARGELINE_PREFIX": prefix, "CHARGELINE_RETRY_DELAYS": "1s",
            "CHARGELINE_SETTLE": settle, "PATH": "/usr/bin:/bin", "TMPDIR": folder,
        ]
    }

    /// The program that was built with the tests.
    static let program: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/chargeline"
    }()

    /// Runs a command to its end.
    func run(_ arguments: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        try await ChildProcess.run(Self.program, arguments, environment: environment)
    }

    /// Starts a command.
    func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(Self.program, arguments, environment: environment)
    }

    /// A file of charges in CSV.
    func file(rows: Int, token: String = "tok_visa", lane: String = "batch", bad: [String] = []) throws -> String {
        let path = "\(folder)/charges-\(rows).csv"
        var text = "id,token,amount,currency,lane\n"
        for number in 1...max(1, rows) where rows > 0 {
            text += "row-\(number),\(token),\(100 + number % 900),usd,\(lane)\n"
        }
        try write(text + bad.map { $0 + "\n" }.joined(), to: path)
        return path
    }

    // MARK: The broker's other end

    /// Declares everything.
    func declare() async throws {
        try await withLink([.publishing]) { _ in }
    }

    /// Publishes messages, each confirmed.
    func publish(_ messages: [Posting]) async throws {
        try await withLink([.publishing]) { link in
            for routed in messages {
                let outcome = await link.publish(
                    routed.message, exchange: routed.exchange, routingKey: routed.key)
                try #require(outcome == .confirmed)
            }
        }
    }

    /// How many messages a queue has.
    func depth(of queue: String) async throws -> Int? {
        try await withLink([]) { link in await link.queueDepth(queue)?.messages }
    }

    /// Takes messages until there are `count`, and acks them.
    func take(_ count: Int, from queue: String) async throws -> [Delivery] {
        let taken = Probe<Delivery>()
        return try await withLink([.consuming(.init(queue: queue, prefetch: 500))], onDelivery: taken.send) { _ in
            try await taken.next(count)
        }
    }

    /// Takes results until those that came are enough.
    func takeResults(until isEnough: @escaping @Sendable ([ChargeResult]) -> Bool) async throws -> [ChargeResult] {
        let taken = Probe<Delivery>()
        let consumer = LinkPlan.Channel.consuming(.init(queue: topology.results, prefetch: 500))
        return try await withLink([consumer], onDelivery: taken.send) { _ in
            var results: [ChargeResult] = []
            while !isEnough(results) { results.append(try ChargeResult(json: try await taken.next().message.body)) }
            return results
        }
    }

    private func withLink<Value: Sendable>(
        _ channels: [LinkPlan.Channel], onDelivery: (@Sendable (Delivery) -> Void)? = nil,
        _ body: @escaping @Sendable (BrokerLink) async throws -> Value
    ) async throws -> Value {
        let endpoints = try BrokerEndpoint.parseList(broker.url)
        let declared = topology.plan
        return try await onTestLoop { room in
            var plan = LinkPlan(endpoints: endpoints, name: "test", channels: channels)
            plan.topology = declared
            let link = BrokerLink(loop: room.loop, plan: plan, random: { 0.5 })
            link.onDelivery = { delivery in
                link.ack(delivery.receipt)
                onDelivery?(delivery)
            }
            link.start()
            try await link.untilUp(within: 120_000_000_000)
            let value = try await body(link)
            await link.close()
            link.onDelivery = nil
            return value
        }
    }
}

/// A message and where it goes.
struct Posting: Sendable {
    let exchange: String
    let key: String
    let message: Message
}

/// A JSON object as a dictionary of its members' texts, deep ones by a path: `results.succeeded`.
func members(of json: String) throws -> [String: String] {
    var found: [String: String] = [:]
    var reader = JSONReader(Array(json.utf8))
    try collect(&reader, "", &found)
    try reader.end()
    return found
}

private func collect(_ reader: inout JSONReader, _ path: String, _ found: inout [String: String]) throws {
    switch try reader.peek() {
    case .object:
        try reader.beginObject()
        while let name = try reader.nextName() { try collect(&reader, path + "." + name.text, &found) }
    case .array:
        try reader.beginArray()
        var index = 0
        while try reader.nextElement() {
            try collect(&reader, path + ".\(index)", &found)
            index += 1
        }
    case .string: found[String(path.dropFirst())] = try reader.string()
    default:
        let range = try reader.skipReturningRange()
        found[String(path.dropFirst())] = String(decoding: reader.bytes[range], as: UTF8.self)
    }
}
