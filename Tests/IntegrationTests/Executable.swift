import Foundation
import TestSupport

/// The program under test: the build's own, beside the test bundle, or the one that `CHARGELINE_TEST_PROGRAM` names.
enum Executable {
    static let path: String = {
        if let given = ProcessInfo.processInfo.environment["CHARGELINE_TEST_PROGRAM"], !given.isEmpty { return given }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = (CommandLine.arguments + [own]).first { $0.hasSuffix(".xctest") }
        let folder = bundle.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
        return (folder ?? repositoryRoot + "/.build/debug") + "/chargeline"
    }()
}
