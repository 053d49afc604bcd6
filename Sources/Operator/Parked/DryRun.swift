internal import Charging
internal import EventLoop
internal import JSONText
internal import Messaging
internal import Settings

/// `parked retry --dry-run`: looks at what is parked, lets it go back at once, and asks Stripe about each charge. Lives
/// on the loop.
final class DryRun {
    /// What would become of one message.
    struct Verdict: Sendable {
        let id: String?
        let reason: String
        /// One word, for programs.
        let word: String
        /// For people.
        let text: String
        /// Whether to retry it would be of use.
        let isOfUse: Bool

        init(_ message: ParkedMessage, _ word: String, _ text: String, isOfUse: Bool = true) {
            id = message.id
            reason = message.reason
            self.word = word
            self.text = Shown.line(text)
            self.isOfUse = isOfUse
        }

        var line: String { "\(Shown.line(id ?? "(no id)"))  \(Shown.line(reason))  \(text)" }
    }

    /// What a dry run came to.
    struct End: Sendable {
        var depth = 0
        var seen = 0
        var verdicts: [Verdict] = []
        var missing: [String] = []
        /// Why it did not come to its end.
        var fault: (text: String, exit: ToolExit)?
        var interrupted: Int32?
    }

    /// A search of two kinds each, and Stripe's limit of 20 searches in a second is shared with the workers.
    static let rate = 1...8
    /// The rate where none is given.
    static let standardRate = 4
    /// Charges in a row that Stripe says nothing about: it will not say more of the others.
    private static let silenceMax = 3

    private let loop: Loop
    private let access: BrokerAccess
    private let request: RetryRequest
    private let rules: RetryRules
    private let forecaster: Forecaster
    private let console: Console
    private var line: ProgressLine
    private var end = End()

    init(
        loop: Loop, access: BrokerAccess, request: RetryRequest, rules: RetryRules, forecaster: Forecaster,
        _ console: Console
    ) {
        self.loop = loop
        self.access = access
        self.request = request
        self.rules = rules
        self.forecaster = forecaster
        self.console = console
        line = ProgressLine(console, now: LoopClock.monotonic())
    }

    func run() async -> End {
        defer { forecaster.shutdown() }
        let look: ParkedReader.Look
        do throws(LinkProblem) {
            look = try await ParkedReader(loop: loop, access: access).look(limit: ParkedReader.most)
        } catch {
            end.fault = ("\(error)", error.exit)
            return end
        }
        end.depth = look.depth
        end.seen = look.messages.count
        let (chosen, missing) = request.selection.choose(from: look.messages)
        end.missing = missing
        await judge(chosen)
        line.clear()
        return end
    }

    func interrupt(_ signal: Int32) { end.interrupted = signal }

    private func judge(_ messages: [ParkedMessage]) async {
        var meter = ProgressMeter(total: messages.count, now: LoopClock.monotonic())
        let interval = 1_000_000_000 / Int64(request.rate ?? Self.standardRate)
        var silent = 0
        for message in messages {
            guard end.interrupted == nil else { return }
            let began = LoopClock.monotonic()
            let verdict: Verdict
            switch rules.plan(message, now: LoopClock.wall()) {
            case .refused(let why): verdict = Verdict(message, "stays_parked", "stays parked: \(why)", isOfUse: false)
            case .result: verdict = Verdict(message, "result", "will go back to the results")
            case .charge(let delivery, _):
                let forecast = await forecaster.forecast(delivery)
                verdict = Verdict(message, forecast.word, forecast.text, isOfUse: forecast.isOfUse)
                silent = forecast.isUnknown ? silent + 1 : 0
                let rest = interval - (LoopClock.monotonic() - began)
                if rest > 0, end.interrupted == nil { await loop.sleep(nanoseconds: rest) }
            }
            end.verdicts.append(verdict)
            if !request.isJSON { console.print(verdict.line) }
            if silent > 0, silent == Self.silenceMax || end.verdicts.count == messages.count {
                end.fault = (
                    "Stripe could not be asked about \(silent == 1 ? "a charge" : "some charges")", .unreachable
                )
                return
            }
            let now = LoopClock.monotonic()
            meter.note(done: end.verdicts.count, now: now)
            if request.isJSON { line.show("asked", meter, now: now) }
        }
    }
}

extension DryRun.End {
    /// How many of each word, the most frequent first.
    private var counts: [(word: String, count: Int)] {
        Dictionary(grouping: verdicts, by: \.word).map { (word: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
    }

    /// What follows the verdicts, for people.
    var lines: [String] {
        var lines = missing.map { "\(Shown.line($0)) is not parked" }
        if depth == 0 { lines.append("nothing is parked") }
        if verdicts.count > 1 { lines.append(counts.map { "\($0.word) \($0.count)" }.joined(separator: ", ")) }
        if seen < depth { lines.append("only the oldest \(seen) of \(depth) were looked at") }
        return lines
    }

    /// For programs.
    var json: [UInt8] {
        var writer = JSONWriter(reserving: 4096)
        writer.beginObject()
        writer.field("dry_run", true)
        writer.field("parked", depth)
        writer.field("looked_at", seen)
        writer.field("interrupted", interrupted != nil)
        writer.name("verdicts")
        writer.beginArray()
        for verdict in verdicts {
            writer.beginObject()
            writer.field("id", verdict.id.map(Shown.line))
            writer.field("reason", Shown.line(verdict.reason))
            writer.field("verdict", verdict.word)
            writer.field("text", verdict.text)
            writer.endObject()
        }
        writer.endArray()
        writer.name("counts")
        writer.beginObject()
        for (word, count) in counts {
            writer.name(string: word)
            writer.value(count)
        }
        writer.endObject()
        writer.name("missing")
        writer.beginArray()
        for id in missing { writer.value(Shown.line(id)) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    var exit: ToolExit {
        let found: ToolExit = verdicts.allSatisfy(\.isOfUse) && missing.isEmpty && seen == depth ? .done : .problem
        return ToolExit.worse(found, fault?.exit ?? .done)
    }
}
