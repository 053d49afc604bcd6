/// Long computations of tests, one after the other on a thread of their own: the few threads that all tests share stay
/// free for those that talk to a broker.
public enum Labour {
    private static let turns = Turns(1)

    /// Runs `work` there and returns what it returns.
    public static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await turns.take()
        let value = await withCheckedContinuation { (done: CheckedContinuation<Value, Never>) in
            onHelperThread { done.resume(returning: work()) }
        }
        await turns.pass()
        return value
    }
}
