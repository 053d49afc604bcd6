internal import CLibCurl
internal import CLinux
internal import EventLoop

/// One CURLM: a few transfers, their connections, one timer.
///
/// Several of these in one epoll, because libcurl walks all connections of a host to find a free one (5,000 transfers:
/// 220 µs each in one CURLM, 62 in pools of 64).
final class TransferPool {
    let multi: UnsafeMutableRawPointer
    private(set) var slots: [TransferSlot] = []
    /// How often libcurl was driven: a transfer added since has not begun.
    private(set) var drives = 0
    private let sockets: SocketTable
    private unowned let owner: Transfers
    private var timer: LoopTimer?

    init?(owner: Transfers, loop: Loop, sockets: SocketTable, connections: Int) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.owner = owner
        self.sockets = sockets
        // Weak: a timer due in the same turn still fires after a waiter has shut the client down.
        timer = loop.makeTimer { [weak self] in
            self?.drive(CURL_SOCKET_BAD, 0)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        clc_multi_set(multi, curlSocket, curlTimer, context, connections)
    }

    func add(_ slot: TransferSlot) {
        slots.append(slot)
    }

    /// Gives libcurl a descriptor that is ready, or, with `CURL_SOCKET_BAD` (its `CURL_SOCKET_TIMEOUT`), the time.
    func drive(_ descriptor: Int32, _ bits: Int32) {
        drives &+= 1
        var running: Int32 = 0
        _ = curl_multi_socket_action(multi, descriptor, bits, &running)
        owner.collect(from: self)
    }

    /// Takes out the transfers that are over, before anything else can run: then their sockets' numbers are still
    /// theirs.
    func takeFinished() -> TransferSlot? {
        var first: TransferSlot?
        var last: TransferSlot?
        var code = CURLE_OK
        while let easy = clc_next_done(multi, &code) {
            guard let context = clc_context(easy) else { continue }
            let slot = Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
            curl_multi_remove_handle(multi, easy)
            slot.ended(code)
            if let last { last.next = slot } else { first = slot }
            last = slot
        }
        return first
    }

    // MARK: What libcurl asks for

    func timerWanted(milliseconds: Int) {
        if milliseconds < 0 {
            timer?.disarm()
        } else {
            timer?.arm(after: Int64(milliseconds) * 1_000_000)
        }
    }

    func socketNamed(_ descriptor: Int32, _ what: Int32) {
        sockets.named(descriptor, what, by: self)
    }

    func socketOpened(_ descriptor: Int32) {
        sockets.opened(descriptor, by: self)
    }

    func socketClosed(_ descriptor: Int32) {
        sockets.closed(descriptor)
    }

    /// Frees all handles; connections are closed by the callbacks. The pool is of no use afterwards.
    func free() {
        for slot in slots { slot.free() }
        curl_multi_cleanup(multi)
        slots.removeAll()
        timer?.disarm()
        timer = nil
    }
}
