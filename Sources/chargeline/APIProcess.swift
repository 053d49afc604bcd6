internal import ChargeAPI
internal import Operator
internal import Settings

/// `chargeline api`.
enum APIProcess {
    @Sendable static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        let makeLog = RoleProcess.log(settings)
        return RoleProcess.run(settings, context) { loop in
            let role = APIRole(loop: loop, settings: settings)
            return RoleProcess.Calls(
                start: { try await role.start(makeLog: makeLog, onFault: $0) },
                drain: { await role.drain() },
                reload: { fresh in await role.replaceKeys(fresh.apiKeys) })
        }
    }
}
