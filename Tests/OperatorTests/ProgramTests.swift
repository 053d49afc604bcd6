import TestSupport
import Testing

/// The program as a person meets it: words in, words and a status out.
@Suite(.takesTurns, .timeLimit(.minutes(8))) struct ProgramTests {
    static let commands = [
        "api", "worker", "sandbox", "send", "results", "parked list", "parked show", "parked retry", "parked discard",
        "topology declare", "topology check", "doctor", "config", "healthcheck", "version",
    ]

    static func run(
        _ line: String, _ environment: [String: String] = [:]
    ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        try await ChildProcess.run(
            ToolRig.program, line.split(separator: " ").map(String.init),
            environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    }

    @Test(arguments: commands)
    func `every command has help with an example, on standard output`(command: String) async throws {
        let help = try await Self.run("\(command) --help")
        #expect(help.exit == .status(0) && help.errors.isEmpty)
        #expect(help.output.hasPrefix("Usage: chargeline \(command)"))
        let examples = help.output.split(separator: "\n").drop { $0 != "Examples:" }
        #expect(examples.contains { $0.contains("chargeline \(command)") })
        // The examples are commands that there are, with flags that there are.
        for line in examples where line.hasPrefix("  ") && !line.hasPrefix("   ") {
            let words = line.split(separator: " ").drop { $0 != "chargeline" }.dropFirst().prefix { $0 != ">" }
            let tried = try await Self.run((words + ["--help"]).joined(separator: " "))
            #expect(tried.exit == .status(0), "\(line): \(tried.errors)")
        }
    }

    @Test func `the help of the program lists every command`() async throws {
        let help = try await Self.run("--help")
        #expect(help.exit == .status(0))
        for command in Self.commands {
            #expect(help.output.split(separator: "\n").contains { $0.hasPrefix("  \(command) ") }, "\(command)")
        }
        let bare = try await Self.run("")
        #expect(bare.exit == .status(2) && bare.output.isEmpty && bare.errors == help.output)
    }

    @Test(arguments: [
        ("wroker", "did you mean worker?"), ("worker --in-flihgt 3", "did you mean --in-flight?"),
        ("parked", "parked needs one of"), ("config wroker", "did you mean worker?"),
        ("healthcheck worker --admin-listen nowhere", "address:port"), ("results -n 0", "--count must be"),
        ("worker --in-flight none", "CHARGELINE_IN_FLIGHT"), ("parked show", "needs ID"),
        ("sandbox --latency quick", "--latency is no duration"), ("version 7", "takes no operand"),
    ])
    func `a slip is answered with 2 and a hint`(line: String, words: String) async throws {
        let refused = try await Self.run(line, ["STRIPE_SECRET_KEY": "sk_test_abcdefgh"])
        #expect(refused.exit == .status(2) && refused.output.isEmpty)
        #expect(refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("chargeline: ") })
    }

    @Test func `every fault of the settings is told at once, and a secret never`() async throws {
        let refused = try await Self.run(
            "worker",
            [
                "CHARGELINE_DRAIN": "soon", "CHARGELINE_LANES": "Big Lane", "STRIPE_SECRET_KEY": "pk_live_secretsecret",
                "CHARGELINE_PREFIKS": "x",
            ])
        #expect(refused.exit == .status(2))
        for name in ["CHARGELINE_DRAIN", "CHARGELINE_LANES", "STRIPE_SECRET_KEY"] {
            #expect(refused.errors.contains(name))
        }
        #expect(!refused.errors.contains("secretsecret"))
    }

    @Test func `config shows every setting masked, with its source, and what is wrong`() async throws {
        let environment = [
            "STRIPE_SECRET_KEY": "sk_test_hidden0123456789", "AMQP_URL": "amqp://me:hidden@127.0.0.1:1/%2F",
            "CHARGELINE_PREFIKS": "x",
        ]
        let shown = try await Self.run("config worker --in-flight 7 --json", environment)
        let members = try members(of: shown.output)
        #expect(shown.exit == .status(0))
        #expect(members["settings.CHARGELINE_IN_FLIGHT.value"] == "7")
        #expect(members["settings.CHARGELINE_IN_FLIGHT.source"] == "flag")
        #expect(members["settings.STRIPE_SECRET_KEY.value"] == "sk_test_***")
        #expect(members["settings.AMQP_URL.value"] == "amqp://me:***@127.0.0.1:1/%2F")
        #expect(members["settings.CHARGELINE_ADMIN_LISTEN.value"] == "127.0.0.1:9464")
        #expect(members["warnings.0"]?.contains("CHARGELINE_PREFIX") == true)
        let text = try await Self.run("config --lanes Ä", environment)
        #expect(text.exit == .status(2) && text.output.contains("CHARGELINE_PREFIX=chargeline"))
        #expect(text.errors.contains("CHARGELINE_LANES"))
        #expect(!(shown.output + text.output + text.errors).contains("hidden"))
    }

    @Test func `the version names the libraries`() async throws {
        let version = try members(of: try await Self.run("version --json").output)
        for name in ["chargeline", "swift", "libraries.librabbitmq", "libraries.libcurl", "libraries.libmicrohttpd"] {
            #expect(version[name]?.first?.isNumber == true, "\(name)")
        }
        #expect(version["libraries.OpenSSL"]?.hasPrefix("OpenSSL ") == true)
        #expect(try await Self.run("--version").output == "chargeline \(version["chargeline"] ?? "")")
    }

    @Test func `nobody answers a health check where nothing runs`() async throws {
        let check = try await Self.run("healthcheck worker --admin-listen 127.0.0.1:\(freePort())")
        #expect(check.exit == .status(3) && check.errors.contains("nobody answers"))
    }
}
