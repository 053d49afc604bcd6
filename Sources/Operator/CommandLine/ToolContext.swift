internal import ChargeWire
internal import Charging
internal import Messaging
public import Settings

/// What every tool is given beside its command line.
public struct ToolContext: Sendable {
    /// Where it writes.
    public let console: Console
    /// The environment.
    public let environment: [String: String]
    /// This program's version.
    public let version: String

    /// Makes one.
    public init(console: Console, environment: [String: String], version: String) {
        self.console = console
        self.environment = environment
        self.version = version
    }

    /// The settings for a command, or nil once every fault is told.
    public func settings(_ invocation: Invocation) -> ChargelineSettings? {
        do {
            let loaded = try ChargelineSettings.load(
                role: invocation.command.role ?? .tool, environment: environment, flags: invocation.settings)
            for warning in loaded.warnings { console.complain("warning: \(warning)") }
            return loaded.settings
        } catch {
            for fault in error.faults { console.complain(fault.description) }
            return nil
        }
    }

    /// The broker of these settings, or nil once it is told what is wrong with its URL.
    func access(_ settings: ChargelineSettings) -> BrokerAccess? {
        do {
            return try BrokerAccess(settings)
        } catch {
            console.complain("AMQP_URL: \(error)")
            return nil
        }
    }

    /// Tells what is wrong with a command line.
    public func refuse(_ problem: UsageProblem) -> Int32 {
        console.complain("\(problem); see \(problem.help)")
        return ToolExit.usage.rawValue
    }
}

/// What tools need of the settings to reach the broker.
struct BrokerAccess: Sendable {
    let endpoints: [BrokerEndpoint]
    let topology: ChargeTopology

    /// - Throws: what is wrong with `AMQP_URL`.
    init(_ settings: ChargelineSettings) throws(BrokerURLError) {
        endpoints = try BrokerEndpoint.parseList(settings.brokerURLs.reveal())
        topology = ChargeTopology(
            prefix: settings.prefix, lanes: settings.lanes,
            tiers: settings.retryDelays.map { WaitTier(milliseconds: $0.milliseconds) },
            keepsResults: settings.results == .queue, settle: settings.settle.milliseconds * 1_000_000)
    }

    /// The name of a watch queue that nobody else has.
    func watchQueue() -> String {
        var generator = SystemRandomNumberGenerator()
        let number = UInt64.random(in: 0...UInt64.max, using: &generator)
        return topology.watchQueue(String(number, radix: 36))
    }

    /// A link for a tool.
    func plan(_ tool: String, _ channels: [LinkPlan.Channel], topology: TopologyPlan? = nil) -> LinkPlan {
        var plan = LinkPlan(endpoints: endpoints, name: "chargeline \(tool)", channels: channels)
        plan.topology = topology
        plan.publishHeader = ChargeHeaders.Name.publish
        return plan
    }

    /// Longest that a tool tries for its first connection, ns.
    static let patience: Int64 = 15_000_000_000
}

extension LinkProblem {
    /// What a tool ends with that this stops.
    var exit: ToolExit {
        switch kind {
        case .unreachable, .silent, .cut, .closedByBroker, .tls, .queueFailed: .unreachable
        case .credentials, .vhost, .permission, .mismatch, .missing, .queueGone, .locked, .invalid, .protocolError:
            .usage
        }
    }
}
