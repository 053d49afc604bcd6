internal import EventLoop
internal import Messaging
internal import Settings

extension ParkedTool {
    /// Takes parked messages out for good, and keeps a record of each.
    public static func discard(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let request: DiscardRequest
        do {
            request = try DiscardRequest(invocation, settings, environment: context.environment)
        } catch {
            return context.refuse(error)
        }
        guard let access = context.access(settings) else { return ToolExit.usage.rawValue }
        let rules = RetryRules(settings, topology: access.topology)
        let end = MainRoom.run { room in
            var forecaster: Forecaster?
            if request.saysNotCharged, let key = settings.stripeKey {
                forecaster = Forecaster(loop: room.loop, settings: settings, key: key, version: context.version)
            }
            let discarder = Discarder(
                loop: room.loop, access: access, request: request, rules: rules, forecaster: forecaster,
                context.console)
            return await discarder.run { pass in room.onInterrupt = { pass.interrupt($0) } }
        }
        return tell(end, request, context.console)
    }

    private static func tell(_ end: Discarder.End, _ request: DiscardRequest, _ console: Console) -> Int32 {
        for message in end.pass.refused {
            let id = Shown.line(message.id ?? "(no id)")
            console.complain("stays parked: \(id)  \(Shown.line(message.reason))  \(message.why)")
        }
        for id in end.missing { console.complain("\(Shown.line(id)) is not parked") }
        if end.isEmpty { hint(request.selection, console) }
        if end.isDeclined { console.complain("nothing was discarded") }
        if end.isUnasked { console.complain("Stripe could not be asked, so nothing was discarded") }
        if let line = end.pass.unseenLine { console.complain(line) }
        if let problem = end.pass.problem { console.complain("\(problem)") }
        if let signal = end.pass.interrupted { return 128 + signal }
        if end.isUnasked { return ToolExit.unreachable.rawValue }
        let isWhole =
            end.pass.refused.isEmpty && end.missing.isEmpty && !end.isDeclined && end.pass.unseen == 0
        return ToolExit.worse(isWhole ? .done : .problem, end.pass.problem?.exit ?? .done).rawValue
    }
}
