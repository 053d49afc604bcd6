import ChargeWire
import Charging
import Messaging
import TestSupport
import Testing

/// `chargeline parked retry --dry-run` as a process, against a real broker and the sandbox.
@Suite(.timeLimit(.minutes(10)), .takesTurns) struct ParkedDryRunTests {
    static let hour: Int64 = 3_600_000

    /// Charges that Stripe knows: paid, declined, and one that only the sandbox' clock makes old.
    static func charged(_ rig: ToolRig, _ charges: [(id: String, token: String)]) async throws {
        let (worker, _) = try await RoleProcessTests.readyWorker(rig)
        let path = "\(rig.folder)/charged.csv"
        let rows = charges.map { "\($0.id),\($0.token),500,usd,checkout\n" }.joined()
        try write("id,token,amount,currency,lane\n" + rows, to: path)
        let sent = try await rig.run("send", path, "--wait")
        try #require(sent.exit == .status(0), "\(sent.errors)")
        worker.signal(15)
        _ = await worker.exit()
    }

    @Test func `a verdict for each charge by what Stripe has of it, and nothing is changed`() async throws {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        try await Self.charged(rig, [("paid", "tok_visa"), ("no", "tok_chargeDeclined"), ("paid-late", "tok_visa")])
        let now = ToolRig.now()
        let asked = try await rig.sandbox("requests")
        try await rig.publish([
            // Its result was never told: it looks as if it had not been sent.
            rig.parked("paid", "delivery-limit"), rig.parked("no", "operator", token: "tok_chargeDeclined"),
            rig.parked(
                "paid-late", "absent", accepted: now - 30 * Self.hour,
                change: { headers in
                    headers.firstSent = now - 30 * Self.hour
                    headers.lastSent = now - 29 * Self.hour
                    headers.phase = .lookup
                }),
            rig.parked("new", "operator"), rig.parked("sent", "kills-workers"),
            rig.parked(
                "gone", "absent", accepted: now - 50 * Self.hour,
                change: { headers in
                    headers.firstSent = now - 50 * Self.hour
                    headers.lastSent = now - 49 * Self.hour
                    headers.phase = .lookup
                    headers.lookups = 9
                }),
            rig.parked("late", "operator", accepted: now - 21 * Self.hour), rig.parked("twice", "doubled"),
        ])
        let run = try await rig.run("parked", "retry", "--all", "--dry-run", "--rate", "8", "--json")
        let told = try members(of: run.output)
        #expect(run.exit == .status(1), "\(run.errors)")
        let verdicts = (0..<8).map { "\(told["verdicts.\($0).id"] ?? "") \(told["verdicts.\($0).verdict"] ?? "")" }
        #expect(
            verdicts == [
                "paid succeeded", "no declined", "paid-late succeeded", "new will_be_tried", "sent will_be_tried",
                "gone will_be_parked_again", "late will_be_proven_not_charged", "twice stays_parked",
            ])
        #expect(told["verdicts.0.text"]?.contains("was charged (pi_") == true)
        // However often somebody has looked.
        _ = try await rig.run("parked", "list")
        let again = try members(
            of: try await rig.run("parked", "retry", "--all", "--dry-run", "--rate", "8", "--json").output)
        #expect(again == told)
        let text = try await rig.run("parked", "retry", "paid", "no", "--dry-run")
        #expect(text.exit == .status(0), "\(text.errors)")
        #expect(text.output.contains("will only send its result") && text.output.contains("declined"))
        // Nothing but reads went to Stripe, and every message is where it was.
        #expect(try await Int(rig.sandbox("requests")) ?? 0 > Int(asked) ?? 0)
        #expect(try await rig.sandbox("tries") == "3")
        #expect(try await rig.sandbox("keys") == "3")
        #expect(
            try await rig.takeParked(8) == ["paid", "no", "paid-late", "new", "sent", "gone", "late", "twice"])
        #expect(!(run.output + run.errors + text.output).contains("sk_test_rig"))
        sandbox.signal(9)
    }

    @Test func `what is foretold is what comes`() async throws {
        let (rig, sandbox) = try await RoleProcessTests.rig()
        try await Self.charged(
            rig,
            [
                ("paid", "tok_visa"), ("no", "tok_chargeDeclined"), ("auth", "tok_threeDSecureRequired"),
                ("taken", "tok_mastercard"), ("old", "tok_visa"),
            ])
        let now = ToolRig.now()
        func aged(_ hours: Int64, _ lookups: Int = 9) -> (inout ChargeHeaders) -> Void {
            { headers in
                headers.firstSent = now - hours * Self.hour
                headers.lastSent = now - hours * Self.hour
                headers.phase = .lookup
                headers.lookups = lookups
            }
        }
        let postings: [(posting: Posting, verdict: String, comes: String)] = [
            (rig.parked("paid", "delivery-limit"), "succeeded", "succeeded"),
            (rig.parked("no", "operator", token: "tok_chargeDeclined"), "declined", "declined"),
            (
                rig.parked("auth", "invalid-after-send", token: "tok_threeDSecureRequired"), "requires_action",
                "requires_action"
            ),
            // Another charge has its id.
            (rig.parked("taken", "bad-headers"), "refused", "refused"),
            (rig.parked("old", "absent", accepted: now - 50 * Self.hour, change: aged(49)), "succeeded", "succeeded"),
            (rig.parked("new", "operator"), "will_be_tried", "succeeded"),
            (rig.parked("killer", "kills-workers", change: { $0.suspect = 2 }), "will_be_tried", "succeeded"),
            (rig.parked("looked", "bad-headers"), "will_be_tried", "succeeded"),
            (
                rig.parked("late", "operator", accepted: now - 21 * Self.hour), "will_be_proven_not_charged",
                "not_charged"
            ),
            (
                rig.parked("gone", "absent", accepted: now - 50 * Self.hour, change: aged(49)),
                "will_be_parked_again", "parked"
            ),
            (
                Posting(
                    exchange: rig.topology.charges, key: "bach",
                    message: Message(
                        body: Array(#"{"id":"odd","token":"tok_visa","amount":-5,"currency":"usd"}"#.utf8),
                        messageID: "odd", timestamp: now / 1000)), "rejected", "rejected"
            ),
        ]
        try await rig.publish(postings.map(\.posting))
        _ = try await rig.take(5, from: rig.topology.results)
        let arguments = ["--all", "--to-lane", "batch"]
        let dry = try await ChildProcess.run(
            ToolRig.program, ["parked", "retry", "--dry-run", "--rate", "8", "--json"] + arguments,
            environment: rig.environment)
        let told = try members(of: dry.output)
        for (index, posting) in postings.enumerated() {
            let id = posting.posting.message.messageID ?? ""
            #expect(told["verdicts.\(index).id"] == id)
            #expect(
                told["verdicts.\(index).verdict"] == posting.verdict, "\(id): \(told["verdicts.\(index).text"] ?? "")")
        }
        let (worker, _) = try await RoleProcessTests.readyWorker(rig)
        let retry = try await ChildProcess.run(
            ToolRig.program, ["parked", "retry"] + arguments, environment: rig.environment)
        #expect(retry.exit == .status(0), "\(retry.errors)\(retry.output)")
        let count = postings.count
        let results = try await rig.takeResults { Set($0.filter { $0.status != .unknown }.map(\.id)).count == count }
        let came = Dictionary(results.map { ($0.id.text, $0.status.rawValue) }, uniquingKeysWith: { $1 })
        for posting in postings {
            let id = posting.posting.message.messageID ?? ""
            #expect(came[id] == posting.comes, "\(id)")
        }
        #expect(try await rig.sandbox("doubled.0") == "none")
        #expect(try await rig.takeParked(1) == ["gone"])
        worker.signal(15)
        #expect(await worker.exit() == .status(0))
        sandbox.signal(9)
    }

    @Test func `where Stripe cannot be asked it says so and ends with 3`() async throws {
        var rig = try await ToolRig()
        try await rig.publish((0..<5).map { rig.parked("order-\($0)", "operator") })
        let keyless = try await rig.run("parked", "retry", "--all", "--dry-run")
        #expect(keyless.exit == .status(2) && keyless.errors.contains("STRIPE_SECRET_KEY"), "\(keyless.errors)")
        rig.environment["STRIPE_SECRET_KEY"] = "sk_test_rig"
        rig.environment["STRIPE_API_BASE"] = "http://127.0.0.1:\(freePort())"
        let run = try await rig.run("parked", "retry", "--all", "--dry-run", "--rate", "8")
        #expect(run.exit == .status(3) && run.errors.contains("Stripe could not be asked"), "\(run.errors)")
        #expect(run.output.contains("order-2") && !run.output.contains("order-3"), "\(run.output)")
        #expect(try await rig.depth(of: rig.topology.parked) == 5)
    }
}
