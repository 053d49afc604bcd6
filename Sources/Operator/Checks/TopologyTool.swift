internal import ChargeWire
internal import EventLoop
internal import JSONText
internal import Messaging
internal import Settings

/// `chargeline topology declare` and `chargeline topology check`.
public enum TopologyTool {
    /// Makes what is missing.
    public static func declare(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let access = access(invocation, context) else { return ToolExit.usage.rawValue }
        var plan = access.topology.plan
        plan.remakesQueues = invocation.has("again")
        let wanted = plan
        let outcome = MainRoom.run { room in
            await result { () async throws(LinkProblem) in
                try await wanted.declare(
                    on: room.loop, endpoints: access.endpoints, name: "chargeline topology declare")
            }
        }
        switch outcome {
        case .failure(let problem): return tell(problem, context)
        case .success(let fresh):
            if invocation.wantsJSON {
                context.console.print(
                    json { writer in
                        writer.field("exchanges", wanted.exchanges.count)
                        writer.field("queues", wanted.queues.count)
                        writer.name("new_queues")
                        writer.beginArray()
                        for name in fresh { writer.value(name) }
                        writer.endArray()
                    })
            } else {
                for name in fresh { context.console.print("made queue \(name)") }
                context.console.print(
                    "\(wanted.exchanges.count) exchanges, \(wanted.queues.count) queues and their bindings stand"
                        + (fresh.isEmpty ? "; nothing was missing" : ""))
            }
            return ToolExit.done.rawValue
        }
    }

    /// Says what differs, and changes nothing.
    public static func check(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let access = access(invocation, context) else { return ToolExit.usage.rawValue }
        let outcome = MainRoom.run { room in await differences(access, room.loop) }
        switch outcome {
        case .failure(let problem): return tell(problem, context)
        case .success(let differences):
            if invocation.wantsJSON {
                context.console.print(json { write(differences, to: &$0) })
            } else {
                for difference in differences { context.console.print(difference.description) }
                if differences.isEmpty {
                    let plan = access.topology.plan
                    context.console.print(
                        "\(plan.exchanges.count) exchanges and \(plan.queues.count) queues are as they should be")
                }
                context.console.note("bindings cannot be seen over AMQP; topology declare makes those that are missing")
            }
            return (differences.isEmpty ? ToolExit.done : .problem).rawValue
        }
    }

    /// What differs from the topology of these settings.
    static func differences(_ access: BrokerAccess, _ loop: Loop) async -> Result<[TopologyDifference], LinkProblem> {
        let plan = access.topology.plan
        return await result { () async throws(LinkProblem) in
            try await plan.check(on: loop, endpoints: access.endpoints, name: "chargeline topology check")
        }
    }

    private static func write(_ differences: [TopologyDifference], to writer: inout JSONWriter) {
        writer.name("differences")
        writer.beginArray()
        for difference in differences {
            writer.beginObject()
            writer.field("object", difference.object)
            writer.field("name", difference.name)
            writer.field("argument", difference.argument)
            writer.field("have", difference.have)
            writer.field("want", difference.want)
            writer.field("mend", difference.mend)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func result<Value: Sendable>(
        _ body: () async throws(LinkProblem) -> Value
    ) async -> Result<Value, LinkProblem> {
        do throws(LinkProblem) { return .success(try await body()) } catch { return .failure(error) }
    }

    private static func access(_ invocation: Invocation, _ context: ToolContext) -> BrokerAccess? {
        context.settings(invocation).flatMap(context.access)
    }

    /// Something that exists with other arguments, or is gone, is what these tools are there to find.
    private static func tell(_ problem: LinkProblem, _ context: ToolContext) -> Int32 {
        context.console.complain("\(problem)")
        switch problem.kind {
        case .mismatch, .queueGone, .missing, .locked: return ToolExit.problem.rawValue
        default: return problem.exit.rawValue
        }
    }

    private static func json(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
