internal import JSONText
internal import Settings

/// The sandbox's own calls, beside Stripe's: ledger, statistics, faults, clock, settings, and a page for people.
struct ControlCalls {
    let sandbox: Sandbox
    let instant: SandboxInstant

    func reply(_ request: SandboxRequest) -> SandboxReply {
        let method = request.method == "HEAD" ? "GET" : request.method
        switch (method, request.path) {
        case ("GET", "/"): return LedgerPage(sandbox: sandbox, now: sandbox.now(instant)).reply()
        case ("GET", "/_sandbox/ledger"): return ledger(request)
        case ("GET", "/_sandbox/stats"): return .json(stats())
        case ("GET", "/_sandbox/faults"): return .json(FaultText.write(sandbox.faults))
        case ("PUT", "/_sandbox/faults"): return put { try faults(request.body) }
        case ("DELETE", "/_sandbox/faults"):
            sandbox.faults = FaultPlan([], seed: sandbox.settings.seed)
            return .json(FaultText.write(sandbox.faults))
        case ("GET", "/_sandbox/clock"): return .json(clock())
        case ("POST", "/_sandbox/clock"): return put { try advance(request.body) }
        case ("GET", "/_sandbox/settings"): return .json(SettingsText.write(sandbox.settings))
        case ("PUT", "/_sandbox/settings"):
            return put {
                try SettingsText.change(&sandbox.settings, json: request.body)
                return SettingsText.write(sandbox.settings)
            }
        default: return unknown(request)
        }
    }

    private func unknown(_ request: SandboxRequest) -> SandboxReply {
        let known = [
            "GET /", "GET /_sandbox/ledger", "GET /_sandbox/stats", "GET PUT DELETE /_sandbox/faults",
            "GET POST /_sandbox/clock", "GET PUT /_sandbox/settings", "and Stripe's calls under /v1/",
        ]
        let list = known.joined(separator: ", ")
        return .problem(404, "\(request.method) \(request.path) is not a call of the sandbox. It knows: \(list).")
    }

    /// Does what was asked and answers with the state that follows, or with what is wrong.
    private func put(_ change: () throws -> [UInt8]) -> SandboxReply {
        do {
            return .json(try change())
        } catch {
            return .problem(400, "\(error)")
        }
    }

    private func faults(_ body: [UInt8]) throws -> [UInt8] {
        sandbox.faults = FaultPlan(try FaultText.parse(json: body), seed: sandbox.settings.seed)
        return FaultText.write(sandbox.faults)
    }

    // MARK: Ledger

    /// All lines; `?last=100` the newest, `?charge_id=order-1` those of one charge.
    private func ledger(_ request: SandboxRequest) -> SandboxReply {
        let query = FormParser.parse(Array(request.query.utf8))
        let only = query?["charge_id"]
        let last = query?["last"].flatMap { Int($0) }
        var lines = sandbox.ledger.lines[...]
        if let last, last >= 0 { lines = lines.suffix(last) }
        let text = LedgerText(store: sandbox.store)
        var body: [UInt8] = []
        body.reserveCapacity(lines.count * 320)
        for line in lines where only == nil || text.purchase(line).chargeID == only {
            body.append(contentsOf: text.json(line))
            body.append(UInt8(ascii: "\n"))
        }
        return SandboxReply(200, headers: [("Content-Type", "application/jsonl; charset=utf-8")], body: body)
    }

    private func stats() -> [UInt8] {
        let stats = sandbox.stats
        var json = JSONWriter()
        json.beginObject()
        json.field("requests", stats.requests)
        json.name("by_status")
        json.beginObject()
        for (status, count) in stats.byStatus.sorted(by: { $0.key < $1.key }) {
            json.name(string: status)
            json.value(count)
        }
        json.endObject()
        json.field("tries", sandbox.ledger.lines.count)
        json.field("charged", sandbox.ledger.charged)
        json.field("charged_ids", sandbox.ledger.chargedIDs)
        json.name("doubled")
        json.beginArray()
        for id in sandbox.ledger.doubled.sorted() { json.value(id) }
        json.endArray()
        json.field("replayed", stats.replays)
        json.field("keys", sandbox.keys.count)
        json.field("late", sandbox.late.count)
        json.field("peak_per_second", stats.peakPerSecond)
        json.field("now", time: sandbox.now(instant))
        json.endObject()
        return json.finish()
    }

    // MARK: Clock

    /// Milliseconds; years stay of four digits, and cards' years make sense.
    private static let furthest: Int64 = 10 * 365 * 86_400_000

    private func clock() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("now", time: sandbox.now(instant))
        json.field("ahead", TimeSpan(milliseconds: sandbox.clockAhead).description)
        json.endObject()
        return json.finish()
    }

    private func advance(_ body: [UInt8]) throws -> [UInt8] {
        var reader = JSONReader(body)
        var step: Int64?
        try reader.beginObject()
        while let name = try reader.nextName() {
            guard name.matches("advance") else {
                throw FaultText.Problem("the clock knows {\"advance\": \"25h\"} only")
            }
            step = TimeSpan(try reader.string())?.milliseconds
        }
        try reader.end()
        guard let step else { throw FaultText.Problem("say how far, forwards: {\"advance\": \"25h\"}") }
        guard step <= Self.furthest - sandbox.clockAhead else {
            throw FaultText.Problem("the clock goes at most ten years ahead")
        }
        sandbox.clockAhead += step
        sandbox.executeLate(at: instant)
        sandbox.keys.forget(now: sandbox.now(instant))
        return clock()
    }
}

extension SandboxReply {
    static func json(_ body: [UInt8]) -> SandboxReply {
        SandboxReply(200, headers: [("Content-Type", "application/json")], body: body)
    }

    /// An error of the sandbox's own calls.
    static func problem(_ status: Int, _ message: String) -> SandboxReply {
        var json = JSONWriter()
        json.beginObject()
        json.name("error")
        json.beginObject()
        json.field("message", message)
        json.field("type", "sandbox_error")
        json.endObject()
        json.endObject()
        return SandboxReply(status, headers: [("Content-Type", "application/json")], body: json.finish())
    }
}
