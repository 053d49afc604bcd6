/// A value that comes once, and the one who waits for it. Lives on a loop.
final class Latch<Value> {
    private(set) var value: Value?
    private var waiter: UnsafeContinuation<Void, Never>?

    /// Sets the value; the first one counts.
    func open(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        waiter?.resume()
        waiter = nil
    }

    /// Waits for the value. One waiter at a time.
    func wait() async -> Value {
        while true {
            if let value { return value }
            await withUnsafeContinuation { waiter = $0 }
        }
    }
}
