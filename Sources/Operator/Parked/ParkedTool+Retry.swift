internal import ChargeWire
internal import EventLoop
internal import Messaging
internal import Settings

extension ParkedTool {
    /// Takes parked messages back to work, or tells what that would do.
    public static func retry(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let request: RetryRequest
        do {
            request = try RetryRequest(invocation, settings)
        } catch {
            return context.refuse(error)
        }
        guard let access = context.access(settings) else { return ToolExit.usage.rawValue }
        let rules = RetryRules(settings, topology: access.topology, lane: request.lane)
        if request.isDryRun { return dryRun(request, rules, access, settings, context) }
        let report = MainRoom.run { room in
            await retry(request, rules, access, room: room, context.console)
        }
        if request.isJSON {
            context.console.write(report.json)
            context.console.print("")
        } else if report.end.problem == nil || report.end.moved > 0 {
            for line in report.lines { context.console.print(line) }
        }
        if let problem = report.end.problem { context.console.complain("\(problem)") }
        if report.end.problem == nil, report.end.unseen == 0, report.charges + report.results == 0,
            report.end.refused.isEmpty
        {
            hint(request.selection, context.console)
        }
        if let signal = report.end.interrupted { return 128 + signal }
        return ToolExit.worse(report.exit, report.end.problem?.exit ?? .done).rawValue
    }

    static func hint(_ selection: ParkedSelection, _ console: Console) {
        guard case .reason(let reason) = selection else { return }
        console.note("nothing is parked for the reason \(Shown.word(reason))\(ParkedSelection.hint(for: reason))")
    }

    private static func dryRun(
        _ request: RetryRequest, _ rules: RetryRules, _ access: BrokerAccess, _ settings: ChargelineSettings,
        _ context: ToolContext
    ) -> Int32 {
        guard let key = settings.stripeKey else {
            context.console.complain("STRIPE_SECRET_KEY is not set: a dry run asks Stripe what it has of each charge")
            return ToolExit.usage.rawValue
        }
        let end = MainRoom.run { room in
            let forecaster = Forecaster(loop: room.loop, settings: settings, key: key, version: context.version)
            let run = DryRun(
                loop: room.loop, access: access, request: request, rules: rules, forecaster: forecaster,
                context.console)
            room.onInterrupt = { run.interrupt($0) }
            return await run.run()
        }
        if request.isJSON {
            context.console.write(end.json)
            context.console.print("")
        } else {
            for line in end.lines { context.console.print(line) }
        }
        if end.verdicts.isEmpty, end.fault == nil { hint(request.selection, context.console) }
        if let fault = end.fault { context.console.complain(fault.text) }
        if let signal = end.interrupted { return 128 + signal }
        return end.exit.rawValue
    }

    private static func retry(
        _ request: RetryRequest, _ rules: RetryRules, _ access: BrokerAccess, room: isolated MainRoom,
        _ console: Console
    ) async -> RetryReport {
        var found: Set<String> = []
        var (charges, results) = (0, 0)
        let topology = access.topology
        let work = ParkedPass.Work(
            verb: "retried", rate: request.rate,
            queues: topology.lanes.map { topology.againQueue(of: $0) }
                + (topology.keepsResults ? [topology.results] : []),
            decide: { message in
                guard request.selection.holds(message) else { return .leave }
                if let id = message.id { found.insert(id) }
                switch rules.plan(message, now: LoopClock.wall()) {
                case .charge(_, let routed), .result(let routed): return .move([routed])
                case .refused(let why): return .refuse(why)
                }
            },
            moved: { message in
                if message.isResult { results += 1 } else { charges += 1 }
            })
        let pass = ParkedPass(loop: room.loop, access: access, work: work, console)
        room.onInterrupt = { pass.interrupt($0) }
        let end = await pass.run()
        var missing: [String] = []
        if case .ids(let ids) = request.selection, end.problem == nil { missing = ids.subtracting(found).sorted() }
        return RetryReport(end: end, charges: charges, results: results, missing: missing)
    }
}

/// What a `parked retry` was asked to do, checked.
struct RetryRequest: Sendable {
    let selection: ParkedSelection
    let rate: Int?
    let lane: String?
    let isDryRun: Bool
    let isJSON: Bool

    init(_ invocation: Invocation, _ settings: ChargelineSettings) throws(UsageProblem) {
        selection = try ParkedSelection(invocation)
        isDryRun = invocation.has("dry-run")
        rate = try invocation.count("rate", in: isDryRun ? DryRun.rate : 1...100_000)
        lane = invocation.values["to-lane"]
        isJSON = invocation.wantsJSON
        if let lane, !settings.lanes.contains(lane) {
            throw UsageProblem(
                "--to-lane \(Shown.word(lane)) is not one of \(settings.lanes.joined(separator: ", "))"
                    + NearestWord.hint(for: lane, among: settings.lanes), command: invocation.command)
        }
    }
}
