internal import CLinux
internal import CMicroHTTPD
internal import EventLoop

/// A request and its answer. It belongs to the listener's loop and is answered there, now or later, once.
///
/// The method, target and body stay; headers and the client's address can be read until the exchange ends.
public final class HTTPExchange {
    /// How an exchange ended.
    public enum End: Sendable, Equatable {
        /// The answer has been written.
        case answered
        /// The client went away, or the connection broke while the answer was written.
        case hungUp
        /// `abort` was called.
        case aborted
        /// The listener stopped.
        case stopped
    }

    enum Phase: Equatable { case head, body, handling, suspended, resumed, answering, ended }

    /// `GET`, `POST`, …, as sent.
    public private(set) var method = ""
    /// The path as sent, percent-encoded.
    public var rawPath: String { target.rawPath }
    /// The path without its percent encoding; as sent where that is malformed.
    public var path: String { HTTPForm.decode(target.rawPath.utf8) ?? target.rawPath }
    /// The query as sent, after the question mark.
    public var rawQuery: String { target.rawQuery }
    /// The pairs of the query; empty when it is malformed.
    public var query: [HTTPField] { HTTPForm.parse(target.rawQuery.utf8) ?? [] }
    /// The body, complete when the handler is called.
    public internal(set) var body: [UInt8] = []
    /// Called once when the exchange ends, however it does; when the client hangs up while it waits, at once. Answer in
    /// it, or forget it.
    public var onClosed: ((End) -> Void)?

    let target: HTTPTarget
    /// libmicrohttpd's; nil once the exchange has ended.
    var handle: OpaquePointer?
    let connection: HTTPConnection
    unowned let listener: HTTPListener
    var phase = Phase.head
    var answer: HTTPResponse?
    var bodyLimit = 0
    /// Answered before its body was read.
    var isRefused = false
    private var end: End?
    /// Its place in the list of those not yet watched for a hang-up.
    var unwatchedIndex = -1
    var suspendedAt: Int64 = 0
    var hangUpWatch: Watch?

    init(_ listener: HTTPListener, _ connection: HTTPConnection, _ handle: OpaquePointer, target: String) {
        self.listener = listener
        self.connection = connection
        self.handle = handle
        self.target = HTTPTarget(target)
        connection.exchange = self
    }

    // MARK: The request

    /// The first value of a header, by name without case; nil when it is absent, or the exchange has ended.
    public func header(_ name: String) -> String? {
        guard let handle, let value = MHD_lookup_connection_value(handle, .HEADER_KIND, name) else { return nil }
        return String(cString: value)
    }

    /// All headers in order; empty once the exchange has ended.
    public var headers: [HTTPField] {
        guard let handle else { return [] }
        let collector = HeaderCollector()
        withExtendedLifetime(collector) {
            let context = Unmanaged.passUnretained(collector).toOpaque()
            _ = MHD_get_connection_values(handle, .HEADER_KIND, collectHeader, context)
        }
        return collector.fields
    }

    /// The client's address, without its port; empty once the exchange has ended.
    public var remoteAddress: String {
        guard let handle, let peer = cl_mhd_peer(handle) else { return "" }
        let isVersion4 = peer.pointee.sa_family == sa_family_t(AF_INET)
        let length = isVersion4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            guard let base = text.baseAddress,
                getnameinfo(peer, socklen_t(length), base, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { return "" }
            return String(cString: base)
        }
    }

    // MARK: The answer

    /// Whether the exchange still waits for its answer.
    public var isOpen: Bool { answer == nil && end == nil && (phase == .handling || phase == .suspended) }

    /// Answers. False, and nothing happens, when it was answered before or the client has gone.
    @discardableResult
    public func respond(_ response: HTTPResponse) -> Bool {
        guard isOpen else { return false }
        answer = response
        if phase == .suspended { resume() }
        return true
    }

    /// Cuts the connection without an answer: the client sees a reset.
    public func abort() {
        guard isOpen else { return }
        connection.reset()
        finish(.aborted)
        if phase == .suspended { resume() }
    }

    // MARK: For the listener

    func begin(method: String) {
        self.method = method
        phase = .body
    }

    func suspend(_ handle: OpaquePointer) {
        phase = .suspended
        MHD_suspend_connection(handle)
        listener.suspended(self)
    }

    /// Ends a waiting exchange that gets no answer.
    func drop(_ reason: End) {
        guard phase == .suspended else { return }
        finish(reason)
        if phase == .suspended { resume() }
    }

    private func resume() {
        guard let handle else { return }
        phase = .resumed
        listener.resuming(self)
        MHD_resume_connection(handle)
    }

    /// The client went away while the exchange waited. Whoever waits may still answer: it may have ended its half of
    /// the stream only.
    func clientHungUp() {
        guard phase == .suspended else { return }
        tellClosed(.hungUp)
        drop(.hungUp)
    }

    /// libmicrohttpd has done with it.
    func completed(_ reason: End) {
        finish(reason)
        phase = .ended
        handle = nil
        answer = nil
    }

    private func finish(_ reason: End) {
        if end == nil { end = reason }
        tellClosed(end ?? reason)
    }

    private func tellClosed(_ reason: End) {
        let tell = onClosed
        onClosed = nil
        tell?(reason)
    }
}

private final class HeaderCollector {
    var fields: [HTTPField] = []
}

private func collectHeader(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let context, let name else { return .NO }
    Unmanaged<HeaderCollector>.fromOpaque(context).takeUnretainedValue()
        .fields.append(HTTPField(String(cString: name), value.map { String(cString: $0) } ?? ""))
    return .YES
}
