internal import ChargeWire
internal import EventLoop
internal import Messaging

/// What the doctor asks the broker. Lives on the loop.
struct BrokerExamination {
    let loop: Loop
    let access: BrokerAccess

    private static let patience: Int64 = 10_000_000_000

    /// All of it, as far as each step lets the next one go.
    func findings() async -> [Finding] {
        var findings = await connection()
        guard findings.allSatisfy({ $0.state == .ok }) else { return findings }
        let differences = await topology()
        findings += differences
        if differences.allSatisfy({ $0.state == .ok }) {
            findings.append(await watching())
            findings += await publishing()
        }
        let charges = access.topology.charges
        findings.append(
            Finding(
                "bindings", .unseen, "who else is bound to \(charges) cannot be seen over AMQP",
                mend: "rabbitmqctl list_bindings: a queue there that is not ours gets tokens"))
        return findings
    }

    private func connection() async -> [Finding] {
        let link = link([.publishing])
        link.start()
        do throws(LinkProblem) {
            try await link.untilUp(within: Self.patience)
        } catch {
            return [Self.finding("broker", error)]
        }
        let server = link.server
        var findings = [
            Self.version(
                product: server?.product ?? "", version: server?.version ?? "", cluster: server?.cluster ?? "")
        ]
        if case .blocked(let words) = link.state {
            findings.append(
                Finding(
                    "broker", .problem, "it takes no publishes: \(words)",
                    mend: "free memory or disk space on the broker, then it goes on by itself"))
        }
        await link.close()
        return findings
    }

    /// At-least-once dead-lettering, on which the wait queues rest, came with 3.10.
    static func version(product: String, version: String, cluster: String) -> Finding {
        let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
        let text = "\(product) \(version)"
        guard numbers.count == 2, product == "RabbitMQ" else {
            return Finding("broker", .problem, "\(text) is not known here", mend: "use RabbitMQ 3.10 or newer")
        }
        guard (numbers[0], numbers[1]) >= (3, 10) else {
            return Finding(
                "broker", .problem, "\(text) has no at-least-once dead-lettering",
                mend: "upgrade it to RabbitMQ 3.10 or newer")
        }
        return Finding("broker", .ok, "\(text), cluster \(cluster)")
    }

    private func topology() async -> [Finding] {
        switch await TopologyTool.differences(access, loop) {
        case .failure(let problem): return [Self.finding("topology", problem)]
        case .success(let differences):
            let plan = access.topology.plan
            guard !differences.isEmpty else {
                let text = "\(plan.exchanges.count) exchanges and \(plan.queues.count) queues are as they should be"
                return [Finding("topology", .ok, text)]
            }
            let absent = differences.count { $0.argument == "existence" && $0.have == "missing" }
            if absent == plan.exchanges.count + plan.queues.count {
                return [
                    Finding(
                        "topology", .problem, "nothing of \(access.topology.prefix) is declared yet",
                        mend: "start a role, or run chargeline topology declare")
                ]
            }
            return differences.map { difference in
                Finding(
                    "topology", .problem,
                    "\(difference.object) \(difference.name): \(difference.argument) is \(difference.have), "
                        + "should be \(difference.want)", mend: difference.mend)
            }
        }
    }

    /// To declare, bind and consume, tried on a queue of the doctor's own.
    private func watching() async -> Finding {
        let queue = access.watchQueue()
        let link = link(
            [.consuming(.init(queue: queue, prefetch: 1))], topology: access.topology.watchPlan(queue: queue))
        link.start()
        do throws(LinkProblem) {
            try await link.untilUp(within: Self.patience)
        } catch {
            return Self.finding("rights", error)
        }
        await link.close()
        return Finding("rights", .ok, "the user may declare, bind and consume")
    }

    /// A message that no queue of ours takes: its return shows that publishing is allowed, and that nobody bound a
    /// queue to all keys.
    private func publishing() async -> [Finding] {
        let link = link([.publishing])
        link.start()
        do throws(LinkProblem) {
            try await link.untilUp(within: Self.patience)
        } catch {
            return [Self.finding("rights", error)]
        }
        let wait = access.topology.wait
        let outcome = await link.publish(
            Message(body: [], type: "chargeline.doctor", persistent: false), exchange: wait, routingKey: "doctor")
        let problem = link.state.problem
        await link.close()
        switch outcome {
        case .returned: return [Finding("rights", .ok, "the user may publish")]
        case .confirmed, .nacked:
            return [
                Finding("rights", .ok, "the user may publish"),
                Finding(
                    "bindings", .problem, "a queue that is not ours is bound to every key of \(wait)",
                    mend: "rabbitmqctl list_bindings; take the binding away: charges pass there, with tokens"),
            ]
        case .notSent, .lost:
            let words = problem.map { "\($0.text)" } ?? "the broker did not confirm"
            return [
                Finding(
                    "rights", .problem, "a publish to \(wait) failed: \(words)",
                    mend: "give the user the right to write: rabbitmqctl set_permissions")
            ]
        }
    }

    private func link(_ channels: [LinkPlan.Channel], topology: TopologyPlan? = nil) -> BrokerLink {
        BrokerLink(
            loop: loop, plan: access.plan("doctor", channels, topology: topology),
            random: { Double.random(in: 0..<1) })
    }

    private static func finding(_ check: String, _ problem: LinkProblem) -> Finding {
        let state: Finding.State = problem.exit == .unreachable ? .unreachable : .problem
        return Finding(check, state, problem.text, mend: problem.mend)
    }
}
