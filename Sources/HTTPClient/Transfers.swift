internal import CLibCurl
public import EventLoop

/// HTTP requests on a loop: libcurl by socket actions, in pools, with handles, buffers and connections used again.
///
/// Not thread-safe: make it and use it on the loop. Connections are kept between requests and HTTP/2 is spoken where
/// the server offers it over TLS. TLS is 1.2 or newer and always verified; redirects are never followed; names are
/// resolved on libcurl's own threads.
///
/// libcurl by itself sends a request again when a *reused* connection dies before any byte of an answer. Under an
/// idempotency key that is harmless; after a freeze it is not wanted, so when the wall clock jumps every open transfer
/// ends before libcurl runs again.
public final class Transfers {
    private let loop: Loop
    private let settings: TransferSettings
    private let names: HeaderNames
    private let sockets: SocketTable
    /// Addresses and TLS sessions, known to all pools; without locks, for one thread.
    private let share: UnsafeMutableRawPointer?
    private var pools: [TransferPool] = []
    /// The last used is used next: its connection is the warmest.
    private var idle: [TransferSlot] = []
    private var jump: TurnAction?
    /// Over TLS a request waits for a connection being made, in the hope to share it; not once the server has shown
    /// that it speaks HTTP/1.1, where that would only make connections one after another.
    private var hopesForMultiplex = true
    private var isShutDown = false

    /// Transfers under way.
    public private(set) var openCount = 0
    /// Connections made so far.
    public private(set) var connectionsMade = 0

    /// Makes a client. Call on the loop.
    ///
    /// - Parameters:
    ///   - loop: where all of it runs.
    ///   - settings: limits and trust.
    ///   - capturing: the answer headers that replies shall hold.
    public init(loop: Loop, settings: TransferSettings, capturing: HeaderNames) {
        self.loop = loop
        self.settings = settings
        names = capturing
        sockets = SocketTable(loop: loop)
        share = CurlLibrary.isReady ? curl_share_init() : nil
        if let share {
            clc_share(share, CURL_LOCK_DATA_DNS)
            clc_share(share, CURL_LOCK_DATA_SSL_SESSION)
        }
        jump = loop.onWallClockJump { [unowned self] moved in
            self.cancelAll("the wall clock moved by \(moved) ms")
        }
    }

    deinit {
        shutdown()
    }

    /// Carries out a request and waits for its end. Cancelling the task does not end it; its timeout does.
    public func perform(_ request: TransferRequest) async -> TransferOutcome {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<TransferOutcome, Never>) in
            begin(request, for: .task(continuation))
        }
    }

    /// Starts a request; `done` is called once, on the loop, possibly before this returns.
    public func start(_ request: TransferRequest, done: @escaping (TransferOutcome) -> Void) {
        begin(request, for: .call(done))
    }

    /// Ends every open transfer at once as `cancelled`, without driving libcurl: connections are cut first, so that
    /// nothing buffered leaves, and nothing is sent again. Idle connections are cut too: after a freeze the other side
    /// has forgotten them, perhaps without a word.
    public func cancelAll(_ reason: String) {
        sockets.cutAll()
        guard openCount > 0 else { return }
        var ended: [(TransferSlot.Waiter, TransferFailure)] = []
        for pool in pools {
            for slot in pool.slots where slot.isOpen {
                var failure = slot.cancel()
                failure.message = reason
                ended.append((slot.waiter, failure))
                slot.recycle()
                release(slot)
            }
        }
        for (waiter, failure) in ended { answer(waiter, .failed(failure)) }
    }

    /// Cancels what is open, closes all connections and frees libcurl's handles. Requests started afterwards fail.
    public func shutdown() {
        guard !isShutDown else { return }
        isShutDown = true
        jump?.cancel()
        jump = nil
        cancelAll("the client was shut down")
        idle.removeAll()
        for pool in pools { pool.free() }
        pools.removeAll()
        sockets.removeAll()
        if let share { curl_share_cleanup(share) }
    }

    // MARK: One transfer

    private func begin(_ request: TransferRequest, for waiter: TransferSlot.Waiter) {
        loop.checkIsolated()
        guard !isShutDown else {
            return refuse(waiter, .cancelled, "the client was shut down")
        }
        guard openCount < settings.atOnce else {
            return refuse(waiter, .overLimit, "\(openCount) transfers are open")
        }
        guard let slot = idle.popLast() ?? makeSlot() else {
            return refuse(waiter, .other, "libcurl cannot be prepared")
        }
        if let failure = slot.begin(request, multiplexes: hopesForMultiplex) {
            idle.append(slot)
            return answer(waiter, .failed(failure))
        }
        slot.waiter = waiter
        openCount += 1
    }

    private func makeSlot() -> TransferSlot? {
        guard CurlLibrary.isReady else { return nil }
        var pool = pools.last
        if pool.map({ $0.slots.count >= settings.poolSize }) ?? true {
            pool = TransferPool(owner: self, loop: loop, sockets: sockets, connections: settings.poolSize)
            if let pool { pools.append(pool) }
        }
        guard let pool, let slot = TransferSlot(pool: pool, names: names, settings: settings, share: share) else {
            return nil
        }
        pool.add(slot)
        return slot
    }

    /// Hands out what is over in a pool. The waiters may start, cancel or shut down.
    func collect(from pool: TransferPool) {
        guard let first = pool.takeFinished() else { return }
        // All outcomes are read before any is handed out: a waiter may free the handles.
        var reading: TransferSlot? = first
        while let slot = reading {
            slot.readOutcome()
            if case .reply(let reply) = slot.outcome { learn(from: reply, isSecure: slot.isSecure) }
            reading = slot.next
        }
        var answering: TransferSlot? = first
        while let slot = answering {
            answering = slot.next
            slot.next = nil
            let waiter = slot.waiter
            let outcome = slot.outcome
            release(slot)
            if let outcome { answer(waiter, outcome) }
        }
    }

    private func learn(from reply: HTTPReply, isSecure: Bool) {
        if reply.madeConnection { connectionsMade += 1 }
        if isSecure { hopesForMultiplex = reply.version == .http2 }
    }

    private func release(_ slot: TransferSlot) {
        slot.waiter = .nobody
        slot.outcome = nil
        openCount -= 1
        if !isShutDown { idle.append(slot) }
    }

    private func answer(_ waiter: TransferSlot.Waiter, _ outcome: TransferOutcome) {
        switch waiter {
        case .nobody: break
        case .task(let continuation): continuation.resume(returning: outcome)
        case .call(let done): done(outcome)
        }
    }

    private func refuse(_ waiter: TransferSlot.Waiter, _ kind: TransferFailure.Kind, _ message: String) {
        answer(waiter, .failed(TransferFailure(kind, message, mayHaveBeenSent: false)))
    }
}
