/// The words of a progress line.
enum ProgressText {
    /// `sent  [#########.....]  5,231 of 10,000  52 %  2,310/s  3 s left`, cut to the terminal's width.
    static func bar(_ verb: String, _ meter: ProgressMeter, now: Int64, width: Int, note: String = "") -> String {
        guard meter.total != nil else { return line(verb, meter, now: now, note: note) }
        let tail = tail(meter, now: now, note: note)
        let room = max(10, min(30, width - verb.count - tail.count - 7))
        let filled = Int((Double(room) * meter.fraction).rounded(.down))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return String("\(verb)  [\(bar)]  \(tail)".prefix(max(20, width - 1)))
    }

    /// The same without a bar, for logs.
    static func line(_ verb: String, _ meter: ProgressMeter, now: Int64, note: String = "") -> String {
        "\(verb) \(tail(meter, now: now, note: note))"
    }

    private static func tail(_ meter: ProgressMeter, now: Int64, note: String) -> String {
        var parts: [String] = []
        if let total = meter.total {
            parts.append("\(AmountText.grouped(meter.done)) of \(AmountText.grouped(total))")
            parts.append("\(Int(meter.fraction * 100)) %")
        } else {
            parts.append(AmountText.grouped(meter.done))
        }
        parts.append("\(rate(meter.rate(now: now)))/s")
        if let seconds = meter.secondsLeft(now: now), meter.done < meter.total ?? 0 {
            parts.append("\(duration(seconds: seconds)) left")
        }
        if !note.isEmpty { parts.append(note) }
        return parts.joined(separator: "  ")
    }

    /// `2,310`, or `0.4` for what is slow.
    static func rate(_ rate: Double) -> String {
        guard rate.isFinite, rate < 1e15 else { return "?" }
        if rate >= 10 || rate == 0 { return AmountText.grouped(Int(rate.rounded())) }
        let tenths = Int((rate * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `45 s`, `3 min 20 s`, `2 h 5 min`.
    static func duration(seconds: Int64) -> String {
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "") }
        return "\(seconds / 3600) h" + (seconds / 60 % 60 > 0 ? " \(seconds / 60 % 60) min" : "")
    }
}
