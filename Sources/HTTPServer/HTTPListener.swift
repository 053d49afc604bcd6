internal import CLinux
internal import CMicroHTTPD
public import EventLoop

/// An HTTP/1.1 server in a loop: libmicrohttpd without threads of its own, its epoll descriptor one more in the loop's.
///
/// Everything runs on the loop's thread. The handler is called with a complete request and answers it there, now or
/// later; meanwhile the connection is suspended and costs nothing but its memory. End it with `stop`, or with `drain`.
public final class HTTPListener {
    /// Where it listens, with the port that it got.
    public let address: HTTPAddress
    /// The port that it got.
    public var port: UInt16 { address.port }
    /// Connections at this moment, idle ones too.
    public var connectionCount: Int { connections.count }
    /// Requests at this moment whose headers are being read, up to those whose answer is being written.
    public private(set) var exchangeCount = 0
    /// Makes the answer to a body over its limit, which is not read on; the argument is the limit in bytes.
    public var tooLarge: (HTTPExchange, Int) -> HTTPResponse = { _, limit in
        HTTPResponse(413, text: "the body is over \(limit) bytes\n")
    }

    private let loop: Loop
    private let limits: HTTPLimits
    private let head: (HTTPExchange) -> HTTPHead
    private let handler: (HTTPExchange) -> Void
    private var daemon: OpaquePointer?
    private var listening: Int32
    private var connections: [HTTPConnection] = []
    private let waiting: HangUpSweep
    private let lingering: LingeringClose
    private var watch: Watch?
    private var timer: LoopTimer?
    private var timerDue: Int64 = 0
    private var turn: TurnAction?
    private var mustRun = false
    private var isRunning = false
    private(set) var isDraining = false
    private(set) var isStopping = false
    private var whenDrained: (() -> Void)?
    private var drainTimer: LoopTimer?

    /// Listens from now on. Call it on the loop, at start: it may look up a name.
    ///
    /// - Parameters:
    ///   - head: asked when a request's headers are read: the limit of its body, or its refusal. By default the limit
    ///     of `limits`.
    ///   - handler: called with each complete request.
    /// - Throws: when the address cannot be had, with a sentence that says why.
    public init(
        loop: Loop, address: HTTPAddress, limits: HTTPLimits = .standard, head: ((HTTPExchange) -> HTTPHead)? = nil,
        handler: @escaping (HTTPExchange) -> Void
    ) throws(HTTPListenError) {
        let (descriptor, port) = try ListeningSocket.open(address)
        self.loop = loop
        self.address = HTTPAddress(host: address.host, port: port)
        self.limits = limits
        let bodyBytes = limits.bodyBytes
        self.head = head ?? { _ in .read(bodyBytes: bodyBytes) }
        self.handler = handler
        listening = descriptor
        waiting = HangUpSweep(loop: loop)
        lingering = LingeringClose(loop: loop)
        try start()
    }

    private func start() throws(HTTPListenError) {
        var setup = cl_mhd_setup(
            listen_fd: listening, connections: limits.connections,
            connections_per_address: limits.connectionsPerAddress, idle_seconds: limits.idleSeconds,
            connection_memory: limits.headerBytes, context: Unmanaged.passUnretained(self).toOpaque(),
            handle: httpHandle, begin: httpBegin, completed: httpCompleted, connection: httpConnection)
        guard let daemon = cl_mhd_start(&setup) else {
            close(listening)
            throw HTTPListenError(address, "the HTTP library did not start (out of descriptors or memory?)")
        }
        self.daemon = daemon
        watch = loop.watch(cl_mhd_epoll(daemon), for: .reading) { [self] _ in run() }
        timer = loop.makeTimer { [self] in run() }
        turn = loop.beforeEachWait { [self] in if mustRun { run() } }
        run()
    }

    // MARK: Driving libmicrohttpd

    private func run() {
        guard let daemon, !isRunning else { return }
        mustRun = false
        isRunning = true
        _ = MHD_run(daemon)
        isRunning = false
        if isStopping { return finishStopping() }
        if isDraining, connections.isEmpty { return finishStopping() }
        let left = cl_mhd_timeout(daemon)
        if left == 0 || mustRun {
            timerDue = 0
            timer?.arm(at: 0)
        } else if left > 0, let timer {
            // Only ever earlier: the idle timeout moves at every request, and a timer that comes early asks again.
            let due = LoopClock.monotonic() + left * 1_000_000
            guard !timer.isArmed || due < timerDue else { return }
            timerDue = due
            timer.arm(at: due)
        }
    }

    // MARK: Ending

    /// Accepts no more connections, ends the idle ones, answers what is open with `Connection: close`, and frees
    /// everything once the last is gone, or after `nanoseconds` the hard way. Never waits.
    public func drain(nanoseconds: Int64, whenDone: @escaping () -> Void = {}) {
        guard let daemon, !isDraining, !isStopping else { return whenDone() }
        isDraining = true
        whenDrained = whenDone
        MHD_quiesce_daemon(daemon)
        closeListening()
        for connection in connections where connection.exchange == nil { connection.endReading() }
        drainTimer = loop.makeTimer { [self] in stop() }
        drainTimer?.arm(after: nanoseconds)
        mustRun = true
    }

    /// Ends now: open exchanges end as `stopped`, connections are closed, and everything is freed. Never waits.
    public func stop() {
        guard daemon != nil, !isStopping else { return }
        isStopping = true
        if !isRunning { finishStopping() }
    }

    private func finishStopping() {
        guard let daemon else { return }
        isStopping = true
        watch?.cancel()
        timer?.disarm()
        drainTimer?.disarm()
        turn?.cancel()
        for connection in connections { connection.exchange?.drop(.stopped) }
        waiting.stop()
        lingering.stop()
        if !isDraining {
            MHD_quiesce_daemon(daemon)
            closeListening()
        }
        // Suspended connections must be resumed and gone before the library lets itself be stopped.
        isRunning = true
        _ = MHD_run(daemon)
        _ = MHD_run(daemon)
        MHD_stop_daemon(daemon)
        isRunning = false
        self.daemon = nil
        (watch, timer, drainTimer, turn) = (nil, nil, nil, nil)
        let done = whenDrained
        whenDrained = nil
        done?()
    }

    private func closeListening() {
        if listening >= 0 { close(listening) }
        listening = -1
    }

    // MARK: Called by exchanges

    func suspended(_ exchange: HTTPExchange) {
        waiting.add(exchange)
    }

    func resuming(_ exchange: HTTPExchange) {
        waiting.remove(exchange)
        mustRun = true
    }

    // MARK: Called by libmicrohttpd

    func connected(_ handle: OpaquePointer) -> HTTPConnection {
        let connection = HTTPConnection(descriptor: cl_mhd_socket(handle))
        connection.index = connections.count
        connections.append(connection)
        return connection
    }

    func disconnected(_ connection: HTTPConnection) {
        // At the limit of connections, or of descriptors, the library accepts again only at its next run.
        mustRun = true
        let last = connections.removeLast()
        guard last !== connection else { return }
        connections[connection.index] = last
        last.index = connection.index
    }

    func began(_ handle: OpaquePointer, target: String) -> HTTPExchange? {
        guard let context = cl_mhd_socket_context(handle) else { return nil }
        exchangeCount += 1
        let connection = Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
        return HTTPExchange(self, connection, handle, target: target)
    }

    func completed(_ exchange: HTTPExchange, _ end: HTTPExchange.End) {
        exchangeCount -= 1
        let connection = exchange.connection
        waiting.remove(exchange)
        if exchange.isRefused, !isStopping { lingering.take(connection.descriptor) }
        exchange.completed(isStopping && end != .answered ? .stopped : end)
        connection.exchange = nil
        // An answer queued before the drain kept its connection open.
        if isDraining { connection.endReading() }
    }

    /// The first call for a request: its headers are there.
    func headRead(_ exchange: HTTPExchange, method: String) -> Bool {
        exchange.begin(method: method)
        guard !isStopping, let handle = exchange.handle else { return false }
        // Where a proxy before us sees another end of the body than the library, the rest of it is another request, of
        // whoever wrote it (RFC 9112, 5.1, 6.3 and 11.2).
        guard cl_mhd_framing_is_doubtful(handle) == 0 else {
            exchange.isRefused = true
            return queue(HTTPResponse(400, text: "it can be doubted where the body ends\n"), exchange)
        }
        switch head(exchange) {
        case .refuse(let response):
            exchange.isRefused = true
            return queue(response, exchange)
        case .read(let limit):
            exchange.bodyLimit = limit
            let length = MHD_lookup_connection_value(handle, .HEADER_KIND, "Content-Length")
            let declared = length.map { strtoll($0, nil, 10) } ?? 0
            if declared > limit {
                exchange.isRefused = true
                return queue(tooLarge(exchange, limit), exchange)
            }
            if declared > 0 { exchange.body.reserveCapacity(Int(declared)) }
            return true
        }
    }

    /// A piece of the body.
    func bodyRead(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isStopping, exchange.phase == .body else { return false }
        guard exchange.body.count + bytes.count <= exchange.bodyLimit else {
            exchange.isRefused = true
            exchange.connection.writeLast(tooLarge(exchange, exchange.bodyLimit))
            return false
        }
        exchange.body.append(contentsOf: bytes)
        return true
    }

    /// The whole request is there, or its answer is after a wait.
    func proceed(_ exchange: HTTPExchange) -> Bool {
        guard !isStopping, let handle = exchange.handle else { return false }
        if exchange.phase == .body {
            exchange.phase = .handling
            handler(exchange)
            if exchange.isOpen {
                exchange.suspend(handle)
                return true
            }
        }
        guard let answer = exchange.answer else { return false }
        return queue(answer, exchange)
    }

    private func queue(_ response: HTTPResponse, _ exchange: HTTPExchange) -> Bool {
        exchange.phase = .answering
        exchange.answer = nil
        guard let handle = exchange.handle, let made = ResponseBuilder.make(response, closing: isDraining) else {
            return false
        }
        defer { MHD_destroy_response(made) }
        return MHD_queue_response(handle, UInt32(clamping: response.status), made) == .YES
    }
}
