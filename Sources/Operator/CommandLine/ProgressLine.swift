/// Shows how long work goes on: a line that moves on a terminal, else a line now and then.
struct ProgressLine {
    private let console: Console
    private let isMoving: Bool
    private var next: Int64
    private var isDrawn = false

    private static let redraw: Int64 = 100_000_000
    private static let line: Int64 = 5_000_000_000

    init(_ console: Console, now: Int64) {
        self.console = console
        isMoving = console.errorsAreTerminal
        // Work that is over at once shows nothing.
        next = now + (isMoving ? Self.redraw : Self.line)
    }

    /// Draws, where it is time.
    mutating func show(_ verb: String, _ meter: ProgressMeter, now: Int64, note: String = "") {
        guard now >= next else { return }
        next = now + (isMoving ? Self.redraw : Self.line)
        if isMoving {
            let text = ProgressText.bar(verb, meter, now: now, width: console.width, note: note)
            _ = Console.write("\r\(text)\u{1B}[K", to: console.errors)
            isDrawn = true
        } else {
            console.note(ProgressText.line(verb, meter, now: now, note: note))
        }
    }

    /// Writes a line that stays.
    mutating func note(_ line: String) {
        clear()
        console.note(line)
    }

    /// Takes the moving line away.
    mutating func clear() {
        guard isDrawn else { return }
        _ = Console.write("\r\u{1B}[K", to: console.errors)
        isDrawn = false
    }
}
