import Settings
import Testing

@testable import Operator

@Suite struct CommandTableTests {
    static let send = Command(
        "send", "publish charges", operands: "FILE|-", operandCount: 1...1,
        options: [
            Command.Option("check", "only check"), Command.Option("batch", value: "NAME", "names rows"),
            Command.Option("count", short: "n", value: "COUNT", "how many"), Command.json,
        ], examples: [("chargeline send x.csv", "sends")])
    static let table = CommandTable(sections: [
        (
            "Tools",
            [
                send, Command("parked list", "what is parked", examples: [("chargeline parked list", "lists")]),
                Command(
                    "parked show", "one message", operands: "ID", operandCount: 1...1,
                    examples: [("chargeline parked show x", "shows")]),
                Command("version", "versions", role: nil, examples: [("chargeline version", "prints")]),
            ]
        )
    ])

    static func run(_ line: String) throws(UsageProblem) -> Invocation {
        guard case .run(let invocation) = try table.read(line.split(separator: " ").map(String.init)) else {
            throw UsageProblem("no command", help: "")
        }
        return invocation
    }

    static func problem(_ line: String) -> UsageProblem? {
        do {
            _ = try run(line)
            return nil
        } catch {
            return error
        }
    }

    @Test func `flags of the command, settings and operands are told apart`() throws {
        let invocation = try Self.run("send --check --batch=gala -n5 --prefix demo x.csv --lanes=a,b --json")
        #expect(invocation.command.name == "send" && invocation.operands == ["x.csv"])
        #expect(invocation.switches == ["check", "json"] && invocation.wantsJSON)
        #expect(invocation.values == ["batch": "gala", "count": "5"])
        #expect(invocation.settings == ["prefix": "demo", "lanes": "a,b"])
        #expect(try invocation.count("count", in: 1...10) == 5)
        #expect((try? invocation.count("count", in: 6...9)) == nil)
    }

    @Test func `a dash is an operand and two dashes end the flags`() throws {
        #expect(try Self.run("send -").operands == ["-"])
        #expect(try Self.run("send -- --check").operands == ["--check"])
        #expect(try Self.run("parked show order-1").operands == ["order-1"])
    }

    @Test(arguments: [
        ("sned x", "there is no command sned (did you mean send?)", "chargeline --help"),
        ("frobnicate", "there is no command frobnicate", "chargeline --help"),
        ("parked", "parked needs one of: list, show", "chargeline parked --help"),
        ("parked lst", "there is no command parked lst (did you mean list?)", "chargeline parked --help"),
        ("send --chekc x", "send has no flag --chekc (did you mean --check?)", "chargeline send --help"),
        ("send --prefiks a x", "send has no flag --prefiks (did you mean --prefix?)", "chargeline send --help"),
        ("send -q x", "send has no flag -q", "chargeline send --help"),
        ("send --check=yes x", "--check takes no value", "chargeline send --help"),
        ("send x --batch", "--batch needs a value: NAME", "chargeline send --help"),
        ("send x --prefix", "--prefix needs a value; for example --prefix chargeline", "chargeline send --help"),
        ("send", "send needs FILE|-", "chargeline send --help"),
        ("send a b", "send takes no more than FILE|-", "chargeline send --help"),
        ("version x", "version takes no operand, and was given x", "chargeline version --help"),
        ("version --prefix a", "version has no flag --prefix", "chargeline version --help"),
        ("--json send", "a command comes first: chargeline COMMAND --json …", "chargeline --help"),
    ])
    func `what is wrong is said with the nearest name and where to read on`(line: String, text: String, help: String) {
        let problem = Self.problem(line)
        #expect(problem?.description == text && problem?.help == help)
    }

    @Test func `a secret given as a flag is refused and not repeated`() {
        let problem = Self.problem("send --stripe-secret-key sk_test_abcdefghijklmnop x.csv")
        #expect(problem?.description.contains("has no flag") == true)
        #expect(problem?.description.contains("abcdef") == false)
    }

    @Test(arguments: ["", "--help", "-h", "help"])
    func `without a command there is help`(line: String) throws {
        guard case .help(.program) = try Self.table.read(line.split(separator: " ").map(String.init)) else {
            Issue.record("no help")
            return
        }
    }

    @Test func `help is given at every level, each with an example`() throws {
        let help = HelpText(table: Self.table, tagline: "charges", examples: [("chargeline send x.csv", "sends")])
        for line in ["--help", "help parked", "parked --help", "send --help", "help parked show", "send --check -h"] {
            guard case .help(let topic) = try Self.table.read(line.split(separator: " ").map(String.init)) else {
                Issue.record("\(line) is no help")
                continue
            }
            let text = help.text(topic)
            #expect(text.contains("Usage: chargeline") && text.contains("Examples:"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 150 })
        }
    }

    @Test func `the help of a command lists its flags and the settings of its role, a secret without a flag`() {
        let text = HelpText(table: Self.table, tagline: "", examples: []).text(.command(Self.send))
        for words in ["--batch NAME", "-n, --count COUNT", "--prefix, CHARGELINE_PREFIX", "[chargeline]", "-h, --help"]
        {
            #expect(text.contains(words), "\(words)")
        }
        #expect(text.contains("STRIPE_SECRET_KEY") && !text.contains("--stripe-secret-key"))
        #expect(!text.contains("guest:guest"))
    }
}
