internal import EventLoop
internal import Operator
internal import Settings
internal import Telemetry

/// A role as a process: it starts, drains on the first TERM or INT, reads its secrets again on HUP, and ends with 2
/// when only a person can mend what is wrong.
struct RoleProcess: Sendable {
    /// What a role's actor does for its process; all of it on the loop.
    struct Calls: Sendable {
        /// Starts it, and returns at once. `onFault` is called when the process should end, with one line that says
        /// why.
        var start: @Sendable (_ onFault: @escaping @Sendable (String) -> Void) async throws -> Void
        /// Finishes or gives back what it holds.
        var drain: @Sendable () async -> Void
        /// Takes secrets that were read again.
        var reload: @Sendable (ChargelineSettings) async -> Void
    }

    /// Runs a role to its end.
    ///
    /// - Parameter calls: makes the role on the loop it is given.
    static func run(
        _ settings: ChargelineSettings, _ context: ToolContext, _ calls: @escaping @Sendable (Loop) -> Calls
    ) -> Int32 {
        MainRoom.run { room in
            let role = RoleProcess(calls: calls(room.loop), settings: settings, context: context)
            let loop = room.loop
            let events = RoleEvents(loop: loop)
            room.onInterrupt = { _ in Task(executorPreference: loop) { await events.add(.drain) } }
            room.onHangUp = { Task(executorPreference: loop) { await events.add(.reload) } }
            return await role.run(on: loop, events)
        }
    }

    /// The log that a role makes on its loop.
    static func log(_ settings: ChargelineSettings) -> @Sendable (Loop) -> Log {
        let level = LogLevel(rawValue: settings.log.rawValue) ?? .info
        let role = settings.role.rawValue
        return { _ in
            Log.standardError(
                level: level, gathers: true, context: [.text("role", role)], now: { LoopClock.wall() })
        }
    }

    private let calls: Calls
    private let settings: ChargelineSettings
    private let context: ToolContext

    private func run(on loop: Loop, _ events: RoleEvents) async -> Int32 {
        do {
            try await calls.start { line in Task(executorPreference: loop) { await events.add(.fault(line)) } }
        } catch {
            context.console.complain("\(error)")
            return ToolExit.usage.rawValue
        }
        var settings = settings
        while true {
            switch await events.next() {
            case .fault(let line):
                await calls.drain()
                context.console.complain(line)
                return ToolExit.usage.rawValue
            case .drain:
                await calls.drain()
                return ToolExit.done.rawValue
            case .reload:
                settings = await reloaded(settings)
            }
        }
    }

    private func reloaded(_ settings: ChargelineSettings) async -> ChargelineSettings {
        do {
            let fresh = try settings.rereadingSecrets()
            await calls.reload(fresh)
            context.console.complain("the secrets were read again")
            return fresh
        } catch {
            for fault in error.faults { context.console.complain("going on with the old secrets: \(fault)") }
            return settings
        }
    }
}
