internal import Settings

/// `chargeline doctor`: asks the broker, Stripe and the clock, and says what to mend.
public enum DoctorTool {
    /// Runs every check.
    public static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        guard let settings = context.settings(invocation) else { return ToolExit.usage.rawValue }
        guard let access = context.access(settings) else { return ToolExit.usage.rawValue }
        let version = context.version
        let findings = MainRoom.run { room in
            await BrokerExamination(loop: room.loop, access: access).findings()
                + StripeExamination(loop: room.loop, settings: settings, version: version).findings()
        }
        if invocation.wantsJSON {
            context.console.write(Finding.json(findings))
            context.console.print("")
        } else {
            for finding in findings { context.console.print(finding.line(hasColors: context.console.hasColors)) }
        }
        return Finding.exit(findings).rawValue
    }
}
