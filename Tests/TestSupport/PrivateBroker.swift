internal import Glibc

/// A RabbitMQ node of the tests' own, run by `scripts/broker`; it ends with the test process, however that ends.
public final class PrivateBroker: Sendable {
    /// Its AMQP URL, user guest.
    public let url: String
    /// Its AMQP port.
    public let port: Int
    /// Where it keeps everything; nil for a node that was handed to the tests.
    public let directory: String?

    private init(url: String, directory: String?) throws {
        self.url = url
        self.directory = directory
        let authority = url.split(separator: "@").last?.split(separator: "/").first ?? ""
        guard let port = Int(authority.split(separator: ":").last ?? "") else {
            throw BrokerFailure(description: "no port in the broker's URL")
        }
        self.port = port
    }

    /// The node that all tests of this process share: started at first use, or the one that
    /// `CHARGELINE_TEST_AMQP_URL` names. Never stop it, never raise its alarms.
    public static func shared() async throws -> PrivateBroker {
        try await starting.value
    }

    /// A node for one test, which may kill, stop and restart it.
    ///
    /// - Parameters:
    ///   - configuration: lines added to its `rabbitmq.conf`.
    ///   - port: where it is to listen; nil for a free port.
    public static func own(configuration: String = "", port: Int? = nil) async throws -> PrivateBroker {
        let directory = try temporaryDirectory("broker")
        var arguments = ["start", directory, "--with", "\(getpid())"]
        if !configuration.isEmpty {
            let file = directory + "/added.conf"
            try write(configuration, to: file)
            arguments += ["--conf", file]
        }
        if let port { arguments += ["--port", "\(port)"] }
        let url = try await script(arguments)
        return try PrivateBroker(url: url, directory: directory)
    }

    /// kill -9; returns when its ports are free.
    public func kill() async throws { try await act("kill") }

    /// Starts it again, with the data it had.
    public func start() async throws { try await act("start") }

    /// Stops it cleanly.
    public func stop() async throws { try await act("stop") }

    /// Freezes or thaws the node's process (SIGSTOP, SIGCONT).
    public func freeze(_ frozen: Bool) async throws {
        guard let directory, let pid = Int32(try await Self.script(["pid", directory])) else { return }
        Glibc.kill(pid, frozen ? SIGSTOP : SIGCONT)
    }

    /// Runs rabbitmqctl against it and returns what it printed.
    @discardableResult
    public func ctl(_ arguments: [String]) async throws -> String {
        guard let directory else { throw BrokerFailure(description: "not a node of these tests") }
        return try await Self.script(["ctl", directory, "-q"] + arguments)
    }

    /// How many messages of a queue are given out and not acked; nil for a queue that is not there.
    public func unacked(in queue: String) async throws -> Int? {
        let rows = try await ctl(["list_queues", "--no-table-headers", "name", "messages_unacknowledged"])
        let row = rows.split(separator: "\n").first { $0.hasPrefix(queue + "\t") }
        return row.flatMap { Int($0.dropFirst(queue.count + 1)) }
    }

    private static let starting = Task { () async throws -> PrivateBroker in
        if let given = getenv("CHARGELINE_TEST_AMQP_URL"), given.pointee != 0 {
            return try PrivateBroker(url: String(cString: given), directory: nil)
        }
        return try await own()
    }

    private func act(_ verb: String) async throws {
        guard let directory else { throw BrokerFailure(description: "not a node of these tests") }
        _ = try await Self.script([verb, directory])
    }

    private static func script(_ arguments: [String]) async throws -> String {
        let result = try await ChildProcess.run(repositoryRoot + "/scripts/broker", arguments)
        guard result.exit == .status(0) else {
            throw BrokerFailure(description: "scripts/broker \(arguments[0]): \(result.errors) \(result.output)")
        }
        return result.output
    }
}

/// `scripts/broker` failed.
public struct BrokerFailure: Error, CustomStringConvertible {
    /// What it said.
    public let description: String
}
