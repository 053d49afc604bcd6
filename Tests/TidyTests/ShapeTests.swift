import Foundation
import Testing

/// Sizes, and calls that only a few places may make.
struct ShapeTests {
    /// A call and the files that own it.
    private static let banned: [(text: String, because: String, owners: Set<String>)] = [
        ("Task {", "start root tasks with Task(executorPreference: loop)", []),
        ("Task.detached", "start root tasks with Task(executorPreference: loop)", []),
        ("Task.sleep", "sleep by the loop's or the simulation's clock", []),
        ("Date()", "time is passed in; LoopClock reads it", []),
        ("DispatchQueue", "everything runs on a loop", []),
        ("@MainActor", "everything runs on a loop", []),
        ("Mutex(", "the only lock is the loop's inbox", []),
        ("try!", "outside input must not trap", []),
        ("fatalError(", "outside input must not trap", []),
        ("@unchecked Sendable", "own it by an actor", []),
        (
            "print(", "results go to standard output by the tools, all else to the log",
            ["Sources/chargeline", "Sources/Operator"]
        ),
        ("clock_gettime", "LoopClock reads the clocks", ["Sources/EventLoop"]),
    ]

    @Test(arguments: banned.map(\.text))
    func `only its owners call it`(text: String) throws {
        let rule = try #require(Self.banned.first { $0.text == text })
        for file in SourceTree.sources where !rule.owners.contains(where: { file.path.hasPrefix($0) }) {
            for (number, line) in file.lines.enumerated() where contains(line, rule.text) {
                Issue.record("\(file.path):\(number + 1): \(rule.text) — \(rule.because)")
            }
        }
    }

    /// In code, not in a comment, and not as the end of a longer name.
    private func contains(_ line: String, _ text: String) -> Bool {
        let code = line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        guard let found = code.range(of: text) else { return false }
        guard let before = code[..<found.lowerBound].last else { return true }
        return !(before.isLetter || before.isNumber || before == "_" || before == ".")
    }

    @Test func `files have at most 400 lines of at most 120 columns`() {
        for file in SourceTree.sources + SourceTree.tests {
            #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count) lines")
            for (number, line) in file.lines.enumerated() where line.count > 120 && !isText(line, of: file) {
                Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
            }
        }
    }

    /// A sentence cannot be broken: a line that is one literal, or one of a test's data, may be longer.
    private func isText(_ line: String, of file: SourceTree.File) -> Bool {
        let start = line.drop { $0 == " " }
        return start.hasPrefix("\"") || (file.path.hasPrefix("Tests/") && !start.hasPrefix("//"))
    }

    @Test func `functions have at most 60 lines`() throws {
        let start = try Regex(
            #"^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate|static|final|override|mutating|nonisolated|consuming|isolated|convenience)(?:\(\w+\))?\s+)*(?:func|init\??|deinit)\b"#
        )
        for file in SourceTree.sources {
            var open: (indent: String, line: Int)?
            for (number, line) in file.lines.enumerated() {
                if let begun = open {
                    if line == begun.indent + "}" {
                        let length = number - begun.line + 1
                        #expect(length <= 60, "\(file.path):\(begun.line + 1): a function of \(length) lines")
                        open = nil
                    }
                } else if let match = line.firstMatch(of: start), !line.hasSuffix("}"),
                    line.contains("{") || !line.hasSuffix(")")
                {
                    open = (String(match.output[1].substring ?? ""), number)
                }
            }
        }
    }

    @Test func `one place sets the idempotency key`() {
        let places = SourceTree.sources.filter { file in
            file.module != "StripeSandbox" && file.module != "ChargeAPI"
                && file.lines.contains { line in
                    !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") && line.contains("\"Idempotency-Key")
                }
        }
        #expect(places.count <= 1, "\(places)")
    }

    @Test func `the project speaks of the product alone`() throws {
        let files = FileManager.default.enumerator(atPath: SourceTree.root.path)?.compactMap { $0 as? String } ?? []
        let texts = files.filter { path in
            !path.hasPrefix(".")
                && [".md", ".swift", ".yaml", ".env", ".conf", ".py", ".sh"].contains { path.hasSuffix($0) }
                && !path.hasPrefix("Tests/TidyTests")
        }
        #expect(!texts.isEmpty)
        for path in texts {
            let text = try SourceTree.text(path)
            for word in ["/wo" + "rk/", "/ro" + "ot/"] { #expect(!text.contains(word), "\(path): \(word)") }
        }
    }
}
