internal import Charging
internal import JSONText

/// What became of a file of charges.
struct SendSummary {
    let check: RowCheck
    /// What sending came to; nil when nothing was sent.
    var sending: Sending?

    struct Sending {
        /// Charges that the broker confirmed.
        var sent = 0
        /// Publishes that had to be made again.
        var resent = 0
        /// From the first publish to the last confirm.
        var seconds = 0.0
        /// How the results are counted; nil when they were not waited for.
        var tally: ResultTally?
        /// How often the copy of the results was interrupted.
        var watchGaps = 0
        /// The signal that ended it.
        var interrupted: Int32?
        /// Whether `--wait-for` ran out.
        var ranOutOfTime = false
    }

    /// For people.
    var lines: [String] {
        var rows: [(String, String)] = []
        let amounts = check.sums.sorted.compactMap { sum in
            Currency(sum.currency).map { AmountText.text(sum.amount, $0) }
        }
        let lanes = check.lanes.sorted { $0.key < $1.key }.map { "\($0.key) \(AmountText.grouped($0.value))" }
        let sums = amounts.isEmpty ? "" : "  " + amounts.joined(separator: ", ")
        rows.append(("rows", AmountText.grouped(check.rows) + sums))
        if !lanes.isEmpty { rows.append(("lanes", lanes.joined(separator: ", "))) }
        if check.badRows > 0 { rows.append(("bad rows", "\(AmountText.grouped(check.badRows))  nothing was sent")) }
        if let sending {
            let rate = sending.seconds > 0 ? Double(sending.sent) / sending.seconds : 0
            let pace = "in \(Self.seconds(sending.seconds)) s, \(ProgressText.rate(rate))/s"
            let again = sending.resent > 0 ? ", \(AmountText.grouped(sending.resent)) published again" : ""
            rows.append(("sent", "\(AmountText.grouped(sending.sent))  \(pace)\(again)"))
            if let tally = sending.tally {
                rows += tally.sorted.map { ($0.status.rawValue, AmountText.grouped($0.count)) }
                if tally.open > 0 { rows.append(("without an end", AmountText.grouped(tally.open))) }
                if tally.conflicts > 0 { rows.append(("two ends", "\(tally.conflicts)  an alarm: see the results")) }
            }
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
    }

    /// For programs.
    var json: [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        writer.beginObject()
        writer.field("format", check.format.rawValue)
        writer.field("rows", check.rows)
        writer.field("bad", check.badRows)
        writer.name("amounts")
        writer.beginObject()
        for sum in check.sums.sorted {
            writer.name(string: sum.currency)
            writer.beginObject()
            writer.field("charges", sum.count)
            writer.field("minor_units", sum.amount)
            writer.endObject()
        }
        writer.endObject()
        writer.name("lanes")
        writer.beginObject()
        for lane in check.lanes.sorted(by: { $0.key < $1.key }) {
            writer.name(string: lane.key)
            writer.value(lane.value)
        }
        writer.endObject()
        writer.field("sent", sending?.sent ?? 0)
        if let sending { Self.write(sending, to: &writer) }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ sending: Sending, to writer: inout JSONWriter) {
        writer.field("published_again", sending.resent)
        writer.field("seconds", (sending.seconds * 1000).rounded() / 1000)
        writer.field("interrupted", sending.interrupted != nil)
        guard let tally = sending.tally else { return }
        writer.name("results")
        writer.beginObject()
        for status in ChargeStatus.allCases {
            writer.name(string: status.rawValue)
            writer.value(tally.counts[status] ?? 0)
        }
        writer.endObject()
        writer.field("without_an_end", tally.open)
        writer.field("two_ends", tally.conflicts)
        writer.field("watch_gaps", sending.watchGaps)
        writer.field("ran_out_of_time", sending.ranOutOfTime)
    }

    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(AmountText.grouped(tenths / 10)).\(tenths % 10)"
    }

    /// What `send` ends with.
    var exit: ToolExit {
        guard check.badRows == 0 else { return .problem }
        guard let tally = sending?.tally else { return .done }
        return tally.open > 0 || tally.needsAPerson ? .problem : .done
    }
}
