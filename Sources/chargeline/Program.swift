internal import CLinux
internal import ChargeWorker
internal import Charging
internal import HTTPClient
internal import HTTPServer
internal import Messaging
internal import Operator
internal import Settings

/// From the words of a command line to an exit status.
enum Program {
    /// What runs a command.
    typealias Action = @Sendable (Invocation, ToolContext) -> Int32

    /// Every command with what runs it, under the headings of the help.
    static let sections: [(title: String, commands: [(command: Command, run: Action)])] = [
        (
            "Roles, which run until they are told to end",
            [
                (Commands.api, APIProcess.run), (Commands.worker, WorkerProcess.run),
                (Commands.sandbox, SandboxProcess.run),
            ]
        ),
        (
            "Charges and results",
            [
                (Commands.send, SendTool.run), (Commands.results, ResultsTool.run),
                (Commands.parkedList, ParkedTool.list), (Commands.parkedShow, ParkedTool.show),
                (Commands.parkedRetry, ParkedTool.retry), (Commands.parkedDiscard, ParkedTool.discard),
            ]
        ),
        (
            "Operation",
            [
                (Commands.topologyDeclare, TopologyTool.declare), (Commands.topologyCheck, TopologyTool.check),
                (Commands.doctor, DoctorTool.run), (Commands.config, ConfigTool.run),
                (Commands.healthcheck, HealthTool.run),
                (Commands.version, Program.version),
            ]
        ),
    ]

    static let table = CommandTable(
        sections: sections.map { section in (section.title, section.commands.map(\.command)) })

    static let help = HelpText(
        table: table,
        tagline:
            "chargeline takes charge requests from a queue, charges each one at Stripe once, and tells the result.",
        examples: [
            ("chargeline sandbox", "a local Stripe, to try everything on"),
            ("chargeline worker --stripe-api-base http://127.0.0.1:12110", "a worker that charges at it"),
            ("chargeline send donations.csv --batch gala-2026 --wait", "sends a file and counts the results"),
        ])

    @Sendable private static func version(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        VersionTool.run(
            invocation, context,
            libraries: [
                ("librabbitmq", BrokerLibrary.version), ("libcurl", TransferLibrary.version),
                ("libmicrohttpd", ServerLibrary.version), ("OpenSSL", DigestLibrary.version),
            ])
    }

    /// Runs a command line, without the program's name.
    static func run(_ words: [String]) -> Int32 {
        // Before anything is read that is secret.
        _ = cl_refuse_dumps()
        cl_open_standard_descriptors()
        _ = cl_raise_descriptor_limit()
        let environment = ProcessEnvironment.all()
        let console = Console(environment: environment)
        let context = ToolContext(console: console, environment: environment, version: ProgramVersion.text)
        do {
            switch try table.read(words) {
            case .run(let invocation):
                let action = sections.flatMap(\.commands).first { $0.command.path == invocation.command.path }
                return action?.run(invocation, context) ?? ToolExit.usage.rawValue
            case .version:
                console.print("chargeline \(context.version)")
                return ToolExit.done.rawValue
            case .help(let topic):
                if words.isEmpty {
                    console.note(help.text(topic))
                    return ToolExit.usage.rawValue
                }
                console.print(help.text(topic))
                return ToolExit.done.rawValue
            }
        } catch {
            return context.refuse(error)
        }
    }
}
