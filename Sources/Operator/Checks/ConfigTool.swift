internal import JSONText
internal import Settings

/// `chargeline config`: every setting as it is, masked, and where it came from.
public enum ConfigTool {
    /// Prints them; ends with 2 where one is wrong.
    public static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        let role: Role
        if let word = invocation.operands.first {
            guard let known = Role(rawValue: word) else {
                let roles = Role.allCases.map(\.rawValue)
                let hint = NearestWord.hint(for: word, among: roles)
                return context.refuse(
                    UsageProblem(
                        "\(Shown.word(word)) is not one of \(roles.joined(separator: ", "))\(hint)",
                        command: invocation.command))
            }
            role = known
        } else {
            role = .tool
        }
        let report = ChargelineSettings.examine(
            role: role, environment: context.environment, flags: invocation.settings)
        if invocation.wantsJSON {
            context.console.write(json(report, role))
            context.console.print("")
        } else {
            let width = report.effective.map { line($0).count }.max() ?? 0
            for setting in report.effective {
                let line = line(setting)
                let padding = String(repeating: " ", count: min(width, 60) - min(line.count, min(width, 60)) + 2)
                context.console.print("\(line)\(padding)# \(setting.source.rawValue): \(setting.meaning)")
            }
        }
        for warning in report.warnings { context.console.complain("warning: \(warning)") }
        for fault in report.faults { context.console.complain(fault.description) }
        return (report.faults.isEmpty ? ToolExit.done : .usage).rawValue
    }

    private static func line(_ setting: EffectiveSetting) -> String {
        setting.shown.map { "\(setting.name)=\(Shown.line($0))" } ?? "#\(setting.name)="
    }

    private static func json(_ report: SettingsReport, _ role: Role) -> [UInt8] {
        var writer = JSONWriter(reserving: 4096)
        writer.beginObject()
        writer.field("role", role.rawValue)
        writer.name("settings")
        writer.beginObject()
        for setting in report.effective {
            writer.name(string: setting.name)
            writer.beginObject()
            writer.field("value", setting.shown)
            writer.field("source", setting.source.rawValue)
            writer.endObject()
        }
        writer.endObject()
        writer.name("faults")
        writer.beginArray()
        for fault in report.faults { writer.value(fault.description) }
        writer.endArray()
        writer.name("warnings")
        writer.beginArray()
        for warning in report.warnings { writer.value(warning) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
