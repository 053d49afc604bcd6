internal import CLinux
internal import ChargeWorker
internal import Operator
internal import Settings

/// `chargeline worker`.
enum WorkerProcess {
    @Sendable static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        // A connection for each charge in flight, and some for all else.
        let descriptors = cl_raise_descriptor_limit()
        if descriptors < settings.inFlight + 64 {
            context.console.complain(
                "warning: CHARGELINE_IN_FLIGHT=\(settings.inFlight) needs more than the \(descriptors) descriptors that "
                    + "this process may open; raise the limit (ulimit -n, LimitNOFILE), or lower it")
        }
        let makeLog = RoleProcess.log(settings)
        return RoleProcess.run(settings, context) { loop in
            let role = WorkerRole(loop: loop, settings: settings)
            return RoleProcess.Calls(
                start: { try await role.start(makeLog: makeLog, onFault: $0) },
                drain: { await role.drain() },
                reload: { fresh in
                    if let key = fresh.stripeKey { await role.replaceKey(key) }
                })
        }
    }
}
