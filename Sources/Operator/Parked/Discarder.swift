internal import ChargeWire
internal import Charging
internal import EventLoop
internal import Messaging

/// Takes parked messages out for good, each with a record that is confirmed first. Lives on the loop.
final class Discarder {
    /// What is to become of a message.
    private enum Plan {
        /// It goes; with this result, where a person says that no money moved.
        case take(ChargeRequest?)
        case refuse(String)
    }

    /// What a discard came to.
    struct End: Sendable {
        var pass = ParkedPassEnd()
        var missing: [String] = []
        /// Nothing that was chosen is there.
        var isEmpty = false
        /// The person at the terminal said no.
        var isDeclined = false
        /// Stripe could not be asked.
        var isUnasked = false
    }

    private let loop: Loop
    private let access: BrokerAccess
    private let request: DiscardRequest
    private let rules: RetryRules
    /// For `--not-charged`.
    private let forecaster: Forecaster?
    private let console: Console
    /// By the marks of messages.
    private var plans: [Int: Plan] = [:]
    private var records: [Int: DiscardRecord] = [:]
    private var end = End()

    init(
        loop: Loop, access: BrokerAccess, request: DiscardRequest, rules: RetryRules, forecaster: Forecaster?,
        _ console: Console
    ) {
        self.loop = loop
        self.access = access
        self.request = request
        self.rules = rules
        self.forecaster = forecaster
        self.console = console
    }

    /// - Parameter begins: told of the pass that begins to take messages out.
    func run(begins: (ParkedPass) -> Void) async -> End {
        defer { forecaster?.shutdown() }
        let look: ParkedReader.Look
        do throws(LinkProblem) {
            look = try await ParkedReader(loop: loop, access: access).look(limit: ParkedReader.most)
        } catch {
            end.pass.problem = error
            return end
        }
        let (chosen, missing) = request.selection.choose(from: look.messages)
        end.missing = missing
        await plan(chosen)
        guard !end.isUnasked else { return end }
        let taken = chosen.filter { if case .take? = plans[$0.mark] { true } else { false } }
        end.isEmpty = chosen.isEmpty
        if !taken.isEmpty, !request.isSure, !(await isConfirmed(taken)) {
            end.isDeclined = true
            return end
        }
        guard !chosen.isEmpty else { return end }
        let pass = ParkedPass(loop: loop, access: access, work: work, console)
        begins(pass)
        end.pass = await pass.run()
        return end
    }

    // MARK: Deciding

    private func plan(_ messages: [ParkedMessage]) async {
        for message in messages {
            let mark = message.mark
            guard plans[mark] == nil else { continue }
            guard request.saysNotCharged, let forecaster else {
                plans[mark] = .take(nil)
                continue
            }
            let began = LoopClock.monotonic()
            plans[mark] = await proven(message, forecaster)
            guard !end.isUnasked else { return }
            let rest = 1_000_000_000 / Int64(DryRun.standardRate) - (LoopClock.monotonic() - began)
            if rest > 0, messages.count > 1 { await loop.sleep(nanoseconds: rest) }
        }
    }

    /// Whether a person may say that no money moved.
    private func proven(_ message: ParkedMessage, _ forecaster: Forecaster) async -> Plan {
        if message.isResult { return .refuse("it is a result, and --not-charged is said of charges") }
        switch ParkReason(rawValue: message.reason) {
        case .unreadable, .cardNumber:
            return .refuse("it was never taken as a charge: its sender was told so. Discard it without --not-charged")
        case .doubled: return .refuse("money moved: Stripe has two payments for it")
        default: break
        }
        guard let charge = rules.request(of: message) else {
            return .refuse("it cannot be read, so Stripe cannot be asked about it")
        }
        let forecast = await forecaster.lookUp(message.charge)
        switch forecast {
        case .tried, .proven, .lookedUp(found: false), .parked(.absent):
            if rules.headers(of: message, now: LoopClock.wall()).firstSent != nil {
                console.complain(
                    "warning: \(Shown.line(charge.id.text)) may have been sent. Stripe shows nothing of it, which proves "
                        + "nothing: its search may be an hour late")
            }
            return .take(charge)
        case .unknown(let why):
            end.isUnasked = true
            return .refuse("Stripe does not say what it has: \(why)")
        default:
            return .refuse(
                "Stripe knows it, so it cannot be said that it was not charged. Retry it: it \(forecast.text)")
        }
    }

    private func isConfirmed(_ messages: [ParkedMessage]) async -> Bool {
        let now = LoopClock.wall()
        console.note("\(messages.count) of the parked messages will be taken out for good:")
        for message in messages.prefix(20) {
            console.note("  \(Shown.line(message.reason))  \(ParkedListing.line(message, now: now))")
        }
        if messages.count > 20 { console.note("  … and \(messages.count - 20) more") }
        let said = request.saysNotCharged ? "The buyers' side will be told not_charged." : "No result will say so."
        return await Confirmation.ask(said, loop: loop, console)
    }

    // MARK: Taking out

    private var work: ParkedPass.Work {
        let topology = access.topology
        return ParkedPass.Work(
            verb: "discarded", rate: nil, queues: topology.keepsResults ? [topology.results] : [],
            isMandatory: topology.keepsResults,
            decide: { [unowned self] in step($0) },
            moved: { [unowned self] message in
                let record = records[message.mark]?.body ?? []
                if request.isJSON {
                    console.write(record + [UInt8(ascii: "\n")])
                } else {
                    console.print("discarded  \(Shown.line(message.id ?? "(no id)"))  \(Shown.line(message.reason))")
                }
            })
    }

    private func step(_ message: ParkedMessage) -> ParkedPass.Step {
        let mark = message.mark
        switch plans[mark] {
        case nil: return .leave
        case .refuse(let why): return .refuse(why)
        case .take(let charge):
            let now = LoopClock.wall()
            let record = DiscardRecord(message, request, now: now)
            records[mark] = record
            var messages = access.topology.keepsResults ? [record.routed(access.topology)] : []
            if let charge { messages.append(notCharged(charge, message, now: now)) }
            return .move(messages)
        }
    }

    private func notCharged(_ charge: ChargeRequest, _ message: ParkedMessage, now: Int64) -> RoutedMessage {
        let result = ChargeResult(
            of: charge, status: .notCharged, lane: message.lane, correlationID: message.charge.correlationID,
            caller: message.charge.headers.caller,
            failure: ChargeFailure(
                code: "discarded",
                message: "A person discarded the charge, and says that no money moved and none will."),
            attempts: message.attempts, acceptedAt: message.accepted, completedAt: now)
        return access.topology.message(for: .result(result, for: message.charge))
    }
}
