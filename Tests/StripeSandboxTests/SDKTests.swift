import EventLoop
import Settings
import TestSupport
import Testing

@testable import StripeSandbox

/// Stripe's own Python SDK against the sandbox: scripts/sandbox-sdk-check. Needs python3, and pip's index once.
@Suite struct SDKTests {
    @Test(.timeLimit(.minutes(8)))
    func `the official SDK finds nothing amiss`() async throws {
        let test = TestLoop()
        defer { test.stop() }
        let role = SandboxRole(loop: test.loop, listen: HostPort(host: "127.0.0.1", port: 0))
        let port = try await test.run { _ in try await role.start() }
        let run = try await ChildProcess.run(
            "/bin/bash", ["\(repositoryRoot)/scripts/sandbox-sdk-check", "http://127.0.0.1:\(port)"])
        #expect(run.exit == .status(0), "\(run.output)\n\(run.errors)")
        #expect(run.output.contains("passed"))
        try await test.run { _ in await role.drain() }
    }
}
