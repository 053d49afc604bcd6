import TestSupport

/// The lines that a program has written so far, and those that await one.
actor Transcript {
    private(set) var lines: [String] = []
    private(set) var isOver = false
    private var waiting: [(fits: @Sendable (String) -> Bool, probe: Probe<String>)] = []

    func add(_ line: String) {
        lines.append(line)
        waiting.removeAll { waiter in
            guard waiter.fits(line) else { return false }
            waiter.probe.send(line)
            return true
        }
    }

    func end() {
        isOver = true
        for waiter in waiting { waiter.probe.finish() }
        waiting = []
    }

    /// The first line that fits, from the first that was ever written or from a later one.
    func first(from start: Int = 0, where fits: @escaping @Sendable (String) -> Bool) async throws -> String {
        if let line = lines.dropFirst(start).first(where: fits) { return line }
        guard !isOver else { throw NotSaid(lines: lines) }
        let probe = Probe<String>()
        waiting.append((fits, probe))
        do {
            return try await probe.next()
        } catch {
            throw NotSaid(lines: lines)
        }
    }

    /// The first line with this text in it.
    func first(containing text: String, from start: Int = 0) async throws -> String {
        try await first(from: start) { $0.contains(text) }
    }

    /// The line with this number, from 0, once it is there.
    func line(_ number: Int) async throws -> String {
        if number < lines.count { return lines[number] }
        return try await first(from: number) { _ in true }
    }

    var text: String { lines.joined(separator: "\n") }
}

/// A program ended, or the test's time was over, before it wrote what was awaited.
struct NotSaid: Error, CustomStringConvertible {
    let lines: [String]
    var description: String { "it was not said; the last lines:\n" + lines.suffix(12).joined(separator: "\n") }
}
