internal import EventLoop

/// What comes to a role from outside its work, in order.
actor RoleEvents {
    /// One of them.
    enum Event: Sendable {
        /// A person asks it to end.
        case drain
        /// A person changed the secrets.
        case reload
        /// Only a person can mend this.
        case fault(String)
    }

    private nonisolated let loop: Loop
    private var waiting: [Event] = []
    private var taker: UnsafeContinuation<Void, Never>?

    /// The loop.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: Loop) {
        self.loop = loop
    }

    func add(_ event: Event) {
        waiting.append(event)
        taker?.resume()
        taker = nil
    }

    /// The next event. One taker at a time.
    func next() async -> Event {
        while waiting.isEmpty {
            await withUnsafeContinuation { taker = $0 }
        }
        return waiting.removeFirst()
    }
}
