internal import CLinux

/// A server on loopback that does to each HTTP request what a test says, byte by byte: also what no library would.
///
/// A thread accepts, one more serves each connection; `stop` ends and joins them all.
public final class ScriptedServer: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        /// The first line, such as `POST /v1/charges HTTP/1.1`.
        public var line = ""
        /// Names in lower case.
        public var headers: [String: String] = [:]
        /// The body, by its content length.
        public var body: [UInt8] = []
        /// Which connection, from 0.
        public var connection = 0
        /// Which request of all, from 0.
        public var index = 0

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// One thing to do to a connection.
    public enum Step: Sendable {
        /// Writes these bytes.
        case send(String)
        /// Writes a whole answer with its length.
        case reply(Int, String, [(String, String)] = [])
        /// Waits until the client has gone or the server stops.
        case hang
        /// Closes the connection in order.
        case close
        /// Closes it by a reset.
        case reset
        /// Refuses new connections from now on.
        case stopListening
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: ListeningSocket
    /// Keeps the port from other tests after `stopListening`.
    private let reserved = RefusingPort()
    private let script: @Sendable (Request) -> [Step]
    private let greeting: (@Sendable (Int) -> [Step])?
    private let state = Locked(State())
    private let acceptor = Locked<pthread_t?>(nil)

    private struct State {
        var isStopped = false
        var connections: [Int32] = []
        var threads: [pthread_t] = []
        var requests: [Request] = []
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - greeting: what to do to a connection, by number, before it has said a word; empty reads its requests.
    ///   - script: what to do for a request; the connection stays open after an answer.
    public init(greeting: (@Sendable (Int) -> [Step])? = nil, script: @escaping @Sendable (Request) -> [Step]) {
        listener = ListeningSocket(port: reserved.number)
        port = listener.port
        listen(listener.descriptor, 4096)
        self.script = script
        self.greeting = greeting
        acceptor.with { $0 = startThread { [self] in self.accept() } }
    }

    /// The address without a path.
    public var base: String { "http://127.0.0.1:\(port)" }

    /// All requests so far.
    public var requests: [Request] { state.with { $0.requests } }

    /// How many connections were accepted.
    public var connectionCount: Int { state.with { $0.threads.count } }

    /// Closes all open connections; new ones are accepted.
    public func dropConnections() {
        state.with { state in
            for descriptor in state.connections where descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Refuses connections from now on; those that are open stay so.
    public func stopListening() {
        state.with { $0.isStopped = true }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    /// Ends all connections and threads.
    public func stop() {
        stopListening()
        dropConnections()
        if let thread = acceptor.with({ $0 }) { pthread_join(thread, nil) }
        for thread in state.with({ $0.threads }) { pthread_join(thread, nil) }
        listener.close()
        reserved.close()
    }

    private func accept() {
        while true {
            let descriptor = listener.accept()
            guard descriptor >= 0 else { return }
            let accepted = state.with { state -> Bool in
                guard !state.isStopped else { return false }
                let number = state.connections.count
                state.connections.append(descriptor)
                state.threads.append(startThread { [self] in self.serve(descriptor, number) })
                return true
            }
            if !accepted { close(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        defer {
            state.with { $0.connections[number] = -1 }
            close(descriptor)
        }
        if let steps = greeting?(number), !perform(steps, descriptor) { return }
        var pending: [UInt8] = []
        while var request = read(descriptor, &pending) {
            request.connection = number
            request.index = state.with { state in
                state.requests.append(request)
                return state.requests.count - 1
            }
            if !perform(script(request), descriptor) { return }
        }
    }

    /// False when the connection is over.
    private func perform(_ steps: [Step], _ descriptor: Int32) -> Bool {
        for step in steps {
            switch step {
            case .send(let text): if !write(descriptor, text) { return false }
            case .reply(let status, let body, let headers):
                let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
                let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n"
                if !write(descriptor, head + body) { return false }
            case .hang:
                var byte: UInt8 = 0
                while recv(descriptor, &byte, 1, 0) > 0 {}
                return false
            case .close: return false
            case .stopListening: stopListening()
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<CLinux.linger>.size))
                return false
            }
        }
        return true
    }

    private func write(_ descriptor: Int32, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func read(_ descriptor: Int32, _ pending: inout [UInt8]) -> Request? {
        while true {
            if let request = parse(&pending) { return request }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            pending += chunk[..<count]
        }
    }

    private func parse(_ pending: inout [UInt8]) -> Request? {
        let text = String(decoding: pending, as: UTF8.self)
        guard let end = text.utf8.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let headBytes = text.utf8.distance(from: text.startIndex, to: end.upperBound)
        let lines = String(text[..<end.lowerBound]).split(separator: "\r\n")
        var request = Request()
        request.line = lines.first.map(String.init) ?? ""
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            request.headers[line[..<colon].lowercased()] = String(value)
        }
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        guard pending.count >= headBytes + length else { return nil }
        request.body = Array(pending[headBytes..<headBytes + length])
        pending.removeFirst(headBytes + length)
        return request
    }
}
