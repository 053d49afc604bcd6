internal import Charging
internal import EventLoop
internal import Messaging
internal import Settings

/// `chargeline send`: checks every row of a file, then publishes all of them.
public enum SendTool {
    /// Runs it to its end.
    public static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let request: SendRequest
        do {
            request = try SendRequest(invocation, settings)
        } catch {
            return context.refuse(error)
        }
        do {
            let file = try RowFile(path: request.path, environment: context.environment)
            return try send(file, request, BrokerAccess(settings), context.console)
        } catch {
            context.console.complain("\(error)")
            return ToolExit.usage.rawValue
        }
    }

    private static func send(
        _ file: RowFile, _ request: SendRequest, _ access: BrokerAccess, _ console: Console
    ) throws(RowFileProblem) -> Int32 {
        var report = SendReport(console, isJSON: request.isJSON)
        let check = try check(file, request, console, &report)
        var summary = SendSummary(check: check)
        guard !request.isOnlyCheck, check.badRows == 0 else {
            report.end(summary, of: file)
            return summary.exit.rawValue
        }
        let end = MainRoom.run { room in
            let sender = Sender(loop: room.loop, file: file, check: check, request: request, access: access, console)
            room.onInterrupt = { sender.interrupt($0) }
            return await sender.run()
        }
        summary.sending = end.sending
        report.end(summary, of: file)
        if let fault = end.fault { console.complain(fault.text) }
        if let signal = end.sending.interrupted { return 128 + signal }
        return ToolExit.worse(summary.exit, end.fault?.exit ?? .done).rawValue
    }

    private static func check(
        _ file: RowFile, _ request: SendRequest, _ console: Console, _ report: inout SendReport
    ) throws(RowFileProblem) -> RowCheck {
        var line = ProgressLine(console, now: LoopClock.monotonic())
        var meter = ProgressMeter(total: file.size / 1000, now: LoopClock.monotonic())
        defer { line.clear() }
        return try RowCheck(
            file, format: request.format, rules: request.rules,
            onProblems: { problems in
                line.clear()
                report.add(problems, of: file)
            },
            onProgress: { bytes in
                let now = LoopClock.monotonic()
                meter.note(done: bytes / 1000, now: now)
                line.show("checked, kB", meter, now: now)
            })
    }
}

/// How sending ended.
struct SendEnd: Sendable {
    var sending = SendSummary.Sending()
    /// What stopped it before its end.
    var fault: SendFault?
}

/// What stops a file from being sent to its end.
struct SendFault: Sendable {
    let text: String
    let exit: ToolExit
}
