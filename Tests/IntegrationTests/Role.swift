import Foundation
import TestSupport

/// A running `api`, `worker` or `sandbox`, with the ports that it got.
struct Role: Sendable {
    let program: Program
    /// Where it serves its calls; 0 for a worker.
    var port: UInt16 = 0
    /// Where it serves health and metrics; 0 for the sandbox.
    var admin: UInt16 = 0

    /// Asks until it is ready, or the test's time is over.
    func untilReady(_ wanted: Bool = true) async throws {
        while try await isReady != wanted { try await Task.sleep(for: .milliseconds(30)) }
    }

    var isReady: Bool {
        get async throws { try await HTTP.call(admin, "GET", "/readyz").status == 200 }
    }

    /// The sum of a metric's samples whose labels contain a text.
    func metric(_ name: String, _ label: String = "") async throws -> Double {
        let text = try await HTTP.call(admin, "GET", "/metrics").text
        return text.split(separator: "\n").reduce(0) { sum, line in
            guard line.hasPrefix(name + " ") || line.hasPrefix(name + "{"), label.isEmpty || line.contains(label) else {
                return sum
            }
            return sum + (line.split(separator: " ").last.flatMap { Double($0) } ?? 0)
        }
    }

    /// Asks until a metric is at least this.
    func until(_ name: String, atLeast value: Double) async throws {
        while try await metric(name) < value { try await Task.sleep(for: .milliseconds(20)) }
    }

    @discardableResult
    func end(_ signal: Int32 = SIGTERM) async -> ChildProcess.Exit {
        await program.end(signal)
    }
}
