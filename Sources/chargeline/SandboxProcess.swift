internal import Operator
internal import Settings
internal import StripeSandbox

/// `chargeline sandbox`.
enum SandboxProcess {
    @Sendable static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        // The sandbox reads its own flags; the command line has only checked their names.
        let flags = SandboxFlags(invocation.values.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", $0.value] })
        for fault in flags.faults { context.console.complain(fault.description) }
        guard flags.faults.isEmpty, let listen = settings.listen else { return ToolExit.usage.rawValue }
        let console = context.console
        return RoleProcess.run(settings, context) { loop in
            let role = SandboxRole(loop: loop, settings: flags.settings, listen: listen)
            return RoleProcess.Calls(
                start: { _ in
                    let port = try await role.start()
                    console.note("the sandbox listens on http://\(HostPort(host: listen.host, port: port))")
                },
                drain: { await role.drain() },
                reload: { _ in })
        }
    }
}
