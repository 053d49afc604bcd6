internal import EventLoop

/// Notices clients that go away while their exchange waits: libmicrohttpd does not look at a suspended connection.
///
/// The loop watches their sockets for the end of the stream, but only those that have waited a while: most are answered
/// within milliseconds, and two system calls each are not theirs to pay.
final class HangUpSweep {
    private let loop: Loop
    private var unwatched: [HTTPExchange] = []
    private var timer: LoopTimer?

    private static let interval: Int64 = 100_000_000

    init(loop: Loop) {
        self.loop = loop
    }

    func add(_ exchange: HTTPExchange) {
        exchange.unwatchedIndex = unwatched.count
        exchange.suspendedAt = LoopClock.monotonic()
        unwatched.append(exchange)
        let timer = self.timer ?? loop.makeTimer { [self] in sweep() }
        self.timer = timer
        if !timer.isArmed { timer.arm(after: Self.interval) }
    }

    func remove(_ exchange: HTTPExchange) {
        exchange.hangUpWatch?.cancel()
        exchange.hangUpWatch = nil
        let index = exchange.unwatchedIndex
        guard index >= 0 else { return }
        exchange.unwatchedIndex = -1
        let last = unwatched.removeLast()
        guard last !== exchange else { return }
        unwatched[index] = last
        last.unwatchedIndex = index
    }

    func stop() {
        timer?.disarm()
        timer = nil
    }

    private func sweep() {
        let due = LoopClock.monotonic() - Self.interval
        for exchange in unwatched where exchange.suspendedAt <= due {
            remove(exchange)
            let descriptor = exchange.connection.descriptor
            exchange.hangUpWatch = loop.watch(descriptor, for: .hangUp) { [unowned exchange] ready in
                if !ready.isDisjoint(with: [.hangUp, .failed]) { exchange.clientHungUp() }
            }
        }
        if !unwatched.isEmpty { timer?.arm(after: Self.interval) }
    }
}
