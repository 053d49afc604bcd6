import Foundation
import TestSupport
import Testing

/// chargeline as one installation: a prefix of the broker's, a sandbox, and the processes that a test starts, all with
/// a secret key of their own that nothing may ever show.
actor Site {
    let prefix = uniquePrefix()
    let broker: String
    let key: String
    private let changes: [String: String]
    /// Nobody listens there before there is a sandbox.
    private var sandboxPort: UInt16 = 1
    private var sandboxProgram: Program?
    private var programs: [Program] = []
    private var started = 0
    private var heard: [String] = []
    private var secrets: [String]

    /// On the shared broker, or on one of the test's own.
    static func start(
        sandbox arguments: [String] = [], broker: PrivateBroker? = nil, _ changes: [String: String] = [:]
    ) async throws -> Site {
        let url = if let broker { broker.url } else { try await PrivateBroker.shared().url }
        let site = Site(url, changes)
        try await site.startSandbox(arguments)
        return site
    }

    init(_ url: String, _ changes: [String: String]) {
        broker = url
        self.changes = changes
        key = "sk_test_" + Site.mark()
        secrets = [key]
    }

    /// A text that stands nowhere else.
    static func mark() -> String {
        String((0..<24).map { _ in "abcdefghjkmnpqrstuvwxyz".randomElement() ?? "x" })
    }

    /// A text that may be shown nowhere from now on.
    func keepSecret(_ text: String) -> String {
        secrets.append(text)
        return text
    }

    // MARK: Processes

    private func environment(_ further: [String: String]) -> [String: String] {
        let base = [
            "PATH": "/usr/bin:/bin", "AMQP_URL": broker, "STRIPE_API_BASE": "http://127.0.0.1:\(sandboxPort)",
            "STRIPE_SECRET_KEY": key, "CHARGELINE_PREFIX": prefix, "CHARGELINE_STRIPE_RATE": "0",
            "CHARGELINE_SETTLE": "0s", "CHARGELINE_LISTEN": "127.0.0.1:0", "CHARGELINE_ADMIN_LISTEN": "127.0.0.1:0",
            "CHARGELINE_RETRY_DELAYS": "200ms,1s,5s,30s", "CHARGELINE_DRAIN": "5s", "CHARGELINE_WAIT_MAX": "15s",
            "CHARGELINE_LOG": "debug",
        ]
        return base.merging(changes) { $1 }.merging(further) { $1 }.filter { !$0.value.isEmpty }
    }

    /// Starts `chargeline`; an empty value takes a variable away.
    func start(_ arguments: [String], _ further: [String: String] = [:]) throws -> Program {
        started += 1
        let name = "\(arguments.first ?? "") \(started)"
        let program = try Program(name, arguments, environment: environment(further))
        programs.append(program)
        return program
    }

    /// Runs `chargeline` to its end.
    func run(
        _ arguments: [String], _ further: [String: String] = [:]
    ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        let program = try start(arguments, further)
        let exit = await program.exit()
        return (exit, await program.output.text, await program.errors.text)
    }

    /// Runs another program to its end; what it writes is heard too.
    func run(
        tool: String, _ arguments: [String], within: Duration = .seconds(120)
    ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        let ended = try await ChildProcess.run(
            "/usr/bin/timeout", ["\(within.components.seconds)", tool] + arguments)
        heard += [ended.output, ended.errors]
        return ended
    }

    /// Starts the sandbox; `start` has done so.
    func startSandbox(_ arguments: [String] = [], at port: Int = 0) async throws {
        let program = try start(["sandbox", "--listen", "127.0.0.1:\(port)"] + arguments, ["CHARGELINE_LISTEN": ""])
        let line = try await program.errors.first(containing: "the sandbox listens on")
        sandboxPort = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        sandboxProgram = program
    }

    /// Sends the sandbox a signal.
    func stripe(_ signal: Int32) {
        sandboxProgram?.signal(signal)
    }

    /// Starts a worker and returns once it listens; it may not be ready yet.
    func worker(_ further: [String: String] = [:]) async throws -> Role {
        let program = try start(["worker"], further)
        let line = try await program.errors.first(containing: "\"worker_starting\"")
        return Role(program: program, admin: try #require(Self.port("admin_port", in: line)))
    }

    /// Starts an API and returns once it listens; it may not be ready yet.
    func api(_ further: [String: String] = [:]) async throws -> Role {
        let program = try start(["api"], further)
        let line = try await program.errors.first(containing: "\"api_started\"")
        return Role(
            program: program, port: try #require(Self.port("port", in: line)),
            admin: try #require(Self.port("admin_port", in: line)))
    }

    /// Both, ready.
    func apiAndWorker(_ further: [String: String] = [:]) async throws -> (api: Role, worker: Role) {
        async let first = worker(further)
        async let second = api(further)
        let (worker, api) = try await (first, second)
        try await worker.untilReady()
        try await api.untilReady()
        // It asks the broker once a second whether anybody consumes.
        while try await api.metric("chargeline_api_workers") == 0 { try await Task.sleep(for: .milliseconds(50)) }
        return (api, worker)
    }

    private static func port(_ name: String, in line: String) -> UInt16? {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return (object?[name] as? Int).flatMap { UInt16(exactly: $0) }
    }

    // MARK: Calls

    /// Calls an API and keeps the answer among what was heard.
    func call(
        _ api: Role, _ method: String = "GET", _ target: String, body: String? = nil, headers: [String] = []
    ) async throws -> HTTP.Answer {
        let answer = try await HTTP.call(api.port, method, target, body: body, headers: headers)
        heard.append(answer.headers.map { "\($0.key): \($0.value)" }.joined(separator: "\n") + "\n" + answer.text)
        return answer
    }

    /// `POST /v1/charges` as JSON.
    func post(_ api: Role, _ json: String, headers: [String] = []) async throws -> HTTP.Answer {
        try await call(
            api, "POST", "/v1/charges", body: json, headers: ["Content-Type: application/json"] + headers)
    }

    /// A call of the sandbox's own; what it answers is no part of the product's.
    @discardableResult
    func sandbox(_ method: String, _ target: String, body: String? = nil) async throws -> HTTP.Answer {
        let answer = try await HTTP.call(
            sandboxPort, method, target, body: body, headers: body == nil ? [] : ["Content-Type: application/json"])
        try #require(answer.status == 200, "\(method) \(target): \(answer.status) \(answer.text)")
        return answer
    }

    /// Makes one-time tokens, as a browser does from a card.
    func tokens(_ count: Int, card: String = "4242424242424242") async throws -> [String] {
        let (port, key) = (sandboxPort, key)
        let made = try await HTTP.onThread {
            let client = try RawHTTPClient(port: port)
            let form = "card[number]=\(card)&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123"
            let head = "Authorization: Bearer \(key)\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            return try (0..<count).map { _ in
                client.post("/v1/tokens", form, extra: head)
                return try client.answer().json["id"] as? String ?? ""
            }
        }
        try #require(made.allSatisfy { $0.hasPrefix("tok_") })
        return made
    }

    func ledger() async throws -> Ledger {
        try Ledger(text: try await sandbox("GET", "/_sandbox/ledger").text)
    }

    // MARK: Ending

    /// Whatever was written or answered so far.
    func everythingHeard() async -> [(source: String, text: String)] {
        var all = heard.map { (source: "an answer", text: $0) }
        for program in programs {
            all.append((program.name + " stdout", await program.output.text))
            all.append((program.name + " stderr", await program.errors.text))
        }
        return all
    }

    /// Ends what still runs, and checks that no secret was shown anywhere.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
        for program in programs.reversed() { await program.end() }
        for (source, text) in await everythingHeard() {
            for secret in secrets {
                #expect(!text.contains(secret), "\(source) shows a secret", sourceLocation: sourceLocation)
            }
        }
    }

    func hear(_ text: String) {
        heard.append(text)
    }
}
