internal import EventLoop
internal import HTTPServer

/// Serves a sandbox over HTTP: hands it requests with the time, and does on the wire what it says. Belongs to its
/// loop's thread.
final class SandboxServer {
    private let loop: Loop
    private let sandbox: Sandbox
    private var listener: HTTPListener?
    /// Exchanges that get no answer; they end when their client goes, or at the drain.
    private var hung: [ObjectIdentifier: HTTPExchange] = [:]

    init(loop: Loop, sandbox: Sandbox) {
        self.loop = loop
        self.sandbox = sandbox
    }

    /// Listens from now on; returns the port.
    func start(_ address: HTTPAddress) throws(HTTPListenError) -> UInt16 {
        let listener = try HTTPListener(loop: loop, address: address) { [unowned self] in serve($0) }
        listener.tooLarge = { _, limit in
            Self.response(.problem(413, "The request is over \(limit) bytes."))
        }
        self.listener = listener
        return listener.port
    }

    /// Takes no more connections, answers what is open, and returns once all are gone or the time is over.
    func drain(nanoseconds: Int64) async {
        for exchange in hung.values { exchange.abort() }
        hung = [:]
        guard let listener else { return }
        self.listener = nil
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            listener.drain(nanoseconds: nanoseconds) { done.resume() }
        }
    }

    private func serve(_ exchange: HTTPExchange) {
        let instant = SandboxInstant(monotonic: LoopClock.monotonic(), wall: LoopClock.wall())
        let reply = sandbox.handle(Self.request(exchange), at: instant)
        guard reply.delay > 0 else { return deliver(reply, to: exchange) }
        loop.makeTimer { [self] in deliver(reply, to: exchange) }.arm(after: reply.delay * 1_000_000)
    }

    private func deliver(_ reply: SandboxReply, to exchange: HTTPExchange) {
        switch reply.delivery {
        case .answer: exchange.respond(Self.response(reply))
        case .truncated(let bytes):
            var response = Self.response(reply)
            response.truncatedAt = bytes
            exchange.respond(response)
        case .reset: exchange.abort()
        case .hang:
            let id = ObjectIdentifier(exchange)
            hung[id] = exchange
            exchange.onClosed = { [weak self] _ in self?.hung[id] = nil }
        }
    }

    private static func request(_ exchange: HTTPExchange) -> SandboxRequest {
        var request = SandboxRequest(exchange.method, exchange.path)
        request.query = exchange.rawQuery
        request.body = exchange.body
        request.authorization = exchange.header("Authorization")
        request.contentType = exchange.header("Content-Type")
        request.idempotencyKey = exchange.header("Idempotency-Key")
        request.account = exchange.header("Stripe-Account")
        request.version = exchange.header("Stripe-Version")
        return request
    }

    private static func response(_ reply: SandboxReply) -> HTTPResponse {
        HTTPResponse(reply.status, headers: reply.headers.map { HTTPField($0.name, $0.value) }, body: reply.body)
    }
}
