/// A mailbox between the code under test and the test that awaits it: any thread sends, one test takes, in order.
///
/// There is no deadline here; give the suite `.timeLimit`, whose cancellation ends the wait with `ProbeEnded`.
public final class Probe<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    /// Makes an empty mailbox.
    public init() {
        (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    }

    /// Puts a value in. May be called from any thread.
    public func send(_ value: Value) {
        continuation.yield(value)
    }

    /// Says that nothing more comes.
    public func finish() {
        continuation.finish()
    }

    /// Takes the next value, waiting for it; throws `ProbeEnded` where none can come any more.
    public func next() async throws -> Value {
        // Copies of an AsyncStream's iterator share its storage.
        var iterator = stream.makeAsyncIterator()
        guard let value = await iterator.next() else { throw ProbeEnded() }
        return value
    }

    /// Takes values until one fits, and returns that.
    public func first(where fits: (Value) throws -> Bool) async throws -> Value {
        while true {
            let value = try await next()
            if try fits(value) { return value }
        }
    }

    /// Takes this many values.
    public func next(_ count: Int) async throws -> [Value] {
        var values: [Value] = []
        while values.count < count { values.append(try await next()) }
        return values
    }

    /// Takes all that is left until `finish`.
    public func rest() async -> [Value] {
        var values: [Value] = []
        while let value = try? await next() { values.append(value) }
        return values
    }
}

/// The awaited value cannot come: the sender finished, or the test's time is over.
public struct ProbeEnded: Error {}
