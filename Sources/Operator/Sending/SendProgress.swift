/// What a person sees while a file is sent and its results are waited for.
struct SendProgress {
    private var line: ProgressLine
    private var sending: ProgressMeter
    private var waiting: ProgressMeter?

    init(_ console: Console, total: Int, now: Int64) {
        line = ProgressLine(console, now: now)
        sending = ProgressMeter(total: total, now: now)
    }

    /// So many are confirmed by now.
    mutating func sent(_ count: Int, now: Int64, note: String) {
        sending.note(done: count, now: now)
        line.show("sent", sending, now: now, note: note)
    }

    /// So many have their result by now.
    mutating func results(_ count: Int, of total: Int, now: Int64) {
        if waiting == nil { waiting = ProgressMeter(total: total, now: now) }
        waiting?.note(done: count, now: now)
        if let waiting { line.show("results", waiting, now: now) }
    }

    /// A line that stays.
    mutating func note(_ text: String) { line.note(text) }

    /// Takes the moving line away.
    mutating func clear() { line.clear() }
}
