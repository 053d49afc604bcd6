public import Testing

extension Trait where Self == BrokerTurns {
    /// A few tests at a time: a broker that declares the queues of all of them at once answers none of them in time.
    public static var takesTurns: Self { Self() }
}

/// Lets the tests of a suite begin one after the other, a few at a time over all suites.
public struct BrokerTurns: TestTrait, SuiteTrait, TestScoping {
    /// Each test of a suite takes a turn, not the suite.
    public var isRecursive: Bool { true }

    /// Runs one case of a test in its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Turns.ofBroker.take()
        do { try await function() } catch {
            await Turns.ofBroker.pass()
            throw error
        }
        await Turns.ofBroker.pass()
    }
}

/// As many at a time as there are turns, first come, first served.
actor Turns {
    static let ofBroker = Turns(8)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    func pass() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
