import Foundation
import TestSupport
import Testing

/// `scripts/torture` itself, in small: an audit that cannot fail proves nothing.
@Suite(.timeLimit(.minutes(8)))
struct TortureTests {
    private struct Report: Decodable {
        let seed: Int
        let accepted: Int
        let faults: [String: Int]
        let still_open: Int
        let lost: [String: String]
        let doubled: [String: String]
        let wrong: [String: [String]]
        let died: [String: [Int]]
        let leaks: [String]
        let unexpected: [String]
        let broken_on_purpose: [String: [String]]
    }

    @Test func `finds exactly what was broken on purpose`() async throws {
        let folder = try temporaryDirectory("torture")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try await ChildProcess.run(
            repositoryRoot + "/scripts/torture",
            [
                "--program", Executable.path, "--dir", folder, "--seed", "4", "--charges", "300", "--faults", "6",
                "--minutes", "0.5", "--workers", "2", "--apis", "1", "--retry-delays", "500ms,1s,2s",
                "--break", "lost,doubled,wrong",
            ])
        #expect(run.exit == .status(1), "\(run.errors)")
        let data = try #require(FileManager.default.contents(atPath: folder + "/report.json"), "\(run.errors)")
        let report = try JSONDecoder().decode(Report.self, from: data)
        // A busy machine may leave a few charges and faults out.
        #expect(report.seed == 4 && report.accepted > 200 && !report.faults.isEmpty)
        #expect(report.lost.keys.sorted() == report.broken_on_purpose["lost"])
        #expect(report.doubled.keys.sorted() == report.broken_on_purpose["doubled"])
        #expect(report.wrong.keys.sorted() == report.broken_on_purpose["wrong"])
        #expect(report.lost.count == 3 && report.doubled.count == 3 && report.wrong.count == 3)
        #expect(report.still_open == 0 && report.died.isEmpty && report.leaks.isEmpty && report.unexpected.isEmpty)
        // Evidence is kept, processes are not.
        for name in ["plan.txt", "story.log", "ledger.jsonl", "results.jsonl", "worker-1.log"] {
            #expect(FileManager.default.fileExists(atPath: folder + "/" + name), "\(name)")
        }
        let story = try String(contentsOfFile: folder + "/story.log", encoding: .utf8)
        let started = story.matches(of: /started as ([0-9]+)/).compactMap { Int32($0.1) }
        #expect(started.count >= 5)
        #expect(started.filter { kill($0, 0) == 0 }.isEmpty, "left running")
    }

    @Test func `explains itself`() async throws {
        let help = try await ChildProcess.run(repositoryRoot + "/scripts/torture", ["--help"])
        #expect(help.exit == .status(0) && help.output.contains("--seed") && help.output.contains("examples"))
        let wrong = try await ChildProcess.run(
            repositoryRoot + "/scripts/torture", ["--program", "/bin/true", "--break", "nonsense"])
        #expect(wrong.exit == .status(2) && wrong.errors.contains("lost, doubled and wrong"))
    }
}
