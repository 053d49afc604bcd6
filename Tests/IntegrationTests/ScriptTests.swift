import Foundation
import TestSupport
import Testing

/// What the README tells a newcomer to type.
@Suite(.takesTurns, .timeLimit(.minutes(8)))
struct ScriptTests {
    @Test func `every script can be run and read by bash`() async throws {
        let folder = repositoryRoot + "/scripts"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0 != "lib" }
        #expect(Set(names).isSuperset(of: ["demo", "test", "broker", "torture"]))
        for path in names.map({ folder + "/" + $0 }) + [repositoryRoot + "/.ci/run"] {
            let beginning = try String(contentsOfFile: path, encoding: .utf8).prefix { $0 != "\n" }
            guard beginning == "#!/usr/bin/env bash" || path.hasSuffix(".sh") else { continue }
            // What is only sourced is not to be run.
            #expect(FileManager.default.isExecutableFile(atPath: path) == beginning.hasPrefix("#!"), "\(path)")
            let read = try await ChildProcess.run("/bin/bash", ["-n", path])
            #expect(read.exit == .status(0), "\(read.errors)")
        }
    }

    @Test func `every command that the README names exists`() async throws {
        let help = try await ChildProcess.run(Executable.path, ["--help"])
        #expect(help.exit == .status(0))
        let known = Set(
            help.output.split(separator: "\n").compactMap { line -> String? in
                line.hasPrefix("  ") ? line.split(separator: " ").first.map(String.init) : nil
            })
        #expect(known.contains("worker") && known.contains("send"))
        let pages = [
            "README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/messages.md", "docs/charge-states.md",
        ]
        var named = 0
        for page in pages {
            let text = try String(contentsOfFile: repositoryRoot + "/" + page, encoding: .utf8)
            for match in text.matches(of: /(?m)(^|`)chargeline ([a-z]+)/) {
                // A line of a listing, or words in backticks; prose may begin a line of the other pages.
                guard page == "README.md" || match.1 == "`" else { continue }
                named += 1
                #expect(known.contains(String(match.2)), "\(page): \(match.0)")
            }
        }
        #expect(named >= 6)
    }

    /// Each command explains itself, and says what is wrong with a word that it does not know.
    @Test func `every command has help with an example`() async throws {
        let help = try await ChildProcess.run(Executable.path, ["--help"]).output
        let commands = help.split(separator: "\n").compactMap { line -> [String]? in
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.contains("chargeline ") else { return nil }
            let words = line.components(separatedBy: "  ").first { !$0.isEmpty } ?? ""
            return words.split(separator: " ").map(String.init)
        }
        #expect(commands.count >= 5)
        for command in commands {
            let own = try await ChildProcess.run(Executable.path, command + ["--help"])
            #expect(own.exit == .status(0), "\(command)")
            #expect(own.output.contains("chargeline " + command.joined(separator: " ")), "\(command)")
            #expect(own.output.contains("Example"), "\(command)")
            let wrong = try await ChildProcess.run(Executable.path, command + ["--no-such-flag"])
            #expect(wrong.exit == .status(2), "\(command)")
            #expect(wrong.errors.contains("no-such-flag"), "\(command)")
            #expect(wrong.output.isEmpty, "\(command)")
        }
    }
}
