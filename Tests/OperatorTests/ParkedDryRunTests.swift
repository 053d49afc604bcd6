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
