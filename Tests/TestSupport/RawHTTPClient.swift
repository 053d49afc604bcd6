internal import CLinux

/// A blocking socket that speaks HTTP as bytes, so that a test sees exactly what is on the wire. Reads give up after
/// two minutes.
public final class RawHTTPClient {
    /// The socket.
    public let descriptor: Int32
    private var buffer: [UInt8] = []

    /// What came back.
    public struct Answer: Sendable {
        /// The status.
        public var status: Int
        /// By lower-case name; the last of several.
        public var headers: [String: String]
        /// The body.
        public var body: [UInt8]
        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Why nothing came back.
    public enum Failure: Error, Equatable {
        /// The stream ended.
        case ended
        /// An errno.
        case code(Int32)
        /// Not HTTP.
        case malformed(String)
    }

    /// Connects to a port of 127.0.0.1.
    public init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let failed = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failed == 0 else { throw Failure.code(cl_errno()) }
    }

    deinit {
        if isOpen { close(descriptor) }
    }

    private var isOpen = true

    /// Closes the socket.
    public func hangUp() {
        close(descriptor)
        isOpen = false
    }

    /// Sends text as it is.
    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends bytes as they are.
    public func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                CLinux.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends a request without a body; `extra` are header lines.
    public func get(_ target: String, method: String = "GET", extra: String = "") {
        send("\(method) \(target) HTTP/1.1\r\nHost: test\r\n\(extra)\r\n")
    }

    /// Sends a request with a body; `extra` are header lines.
    public func post(_ target: String, _ body: String, extra: String = "") {
        send("POST \(target) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)")
    }

    /// The next answer; the body by its length or its chunks.
    public func answer(head: Bool = false) throws -> Answer {
        let lines = try readHead().split(separator: "\r\n").map(String.init)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure.malformed(lines.first ?? "")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop(while: { $0 == " " })) : ""
        }
        if head { return Answer(status: status, headers: headers, body: []) }
        if headers["transfer-encoding"] == "chunked" {
            return Answer(status: status, headers: headers, body: try readChunks())
        }
        return Answer(status: status, headers: headers, body: try read(Int(headers["content-length"] ?? "0") ?? 0))
    }

    /// Everything up to the end of the stream.
    public func rest() throws -> [UInt8] {
        while true {
            do { try fill() } catch Failure.ended { return buffer }
        }
    }

    private func readHead() throws -> String {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeFirst(end.upperBound)
                return head
            }
            try fill()
        }
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            guard let end = buffer.firstRange(of: Array("\r\n".utf8)) else {
                try fill()
                continue
            }
            let text = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            guard let size = Int(text, radix: 16) else { throw Failure.malformed(text) }
            buffer.removeFirst(end.upperBound)
            body += try read(size)
            _ = try read(2)
            if size == 0 { return body }
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func fill() throws {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count == 0 { throw Failure.ended }
        if count < 0 { throw Failure.code(cl_errno()) }
        buffer += piece[..<count]
    }
}
