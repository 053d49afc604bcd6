/// What happened in a run. Its fingerprint is always taken; the words only when somebody will read them.
final class Story {
    /// Whether lines are kept.
    let isTold: Bool
    /// Mixed from every happening: two runs with the same fingerprint had the same history.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The lines, when they are kept.
    private(set) var lines: [String] = []
    private let start: Int64
    /// Happenings so far.
    private(set) var count = 0

    init(told: Bool, start: Int64) {
        isTold = told
        self.start = start
    }

    /// Something happened at `now`, to a charge, at a worker.
    func tell(
        _ now: Int64, worker: Int? = nil, charge: Int? = nil, _ what: Happening, detail: Int64 = 0,
        _ text: @autoclosure () -> String
    ) {
        count += 1
        mix(UInt64(bitPattern: now))
        mix(UInt64(bitPattern: Int64(what.rawValue) << 32 | Int64(worker ?? -1) << 16 | Int64(charge ?? -1)))
        mix(UInt64(bitPattern: detail))
        if isTold { lines.append(line(now, worker, charge, text())) }
    }

    private func mix(_ value: UInt64) {
        fingerprint = (fingerprint ^ value) &* 0x0000_0100_0000_01B3
        fingerprint ^= fingerprint >> 29
    }

    private func line(_ now: Int64, _ worker: Int?, _ charge: Int?, _ text: String) -> String {
        let elapsed = now - start
        let clock = [elapsed / 3_600_000, elapsed / 60_000 % 60, elapsed / 1000 % 60].map { pad($0, 2) }
        let who = worker.map { "worker \($0)" } ?? ""
        let which = charge.map { "order-\($0)" } ?? ""
        return clock.joined(separator: ":") + "." + pad(elapsed % 1000, 3) + "  "
            + who + String(repeating: " ", count: max(1, 10 - who.count))
            + which + String(repeating: " ", count: max(1, 10 - which.count)) + text
    }

    private func pad(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// The kinds of happenings, for the fingerprint.
enum Happening: Int {
    case submitted, delivered, requeued, published, confirmed, nacked, wordLost, acked, ackIgnored
    case called, arrived, answered, noAnswer, executed, moved, read
    case crashed, restarted, froze, thawed, channelLost, drained
    case brokerDown, brokerUp, weather, breaker, ended, violated
}
