internal import CLinux

/// Why a listener could not be made.
public struct HTTPListenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that names the address.
    public let description: String
    /// Another program, or another listener of this one, has the address.
    public let isTaken: Bool

    init(_ address: HTTPAddress, _ reason: String, isTaken: Bool = false) {
        description = "cannot listen on \(address): \(reason)"
        self.isTaken = isTaken
    }
}

/// Makes the listening descriptor itself, because libmicrohttpd only says that it failed.
enum ListeningSocket {
    /// The descriptor and the port that it got. Looks a name up, which may wait: use it at start.
    static func open(_ address: HTTPAddress) throws(HTTPListenError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let unknown = getaddrinfo(address.host, String(address.port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard unknown == 0, let first = found else {
            throw HTTPListenError(address, String(cString: gai_strerror(unknown)))
        }
        let kind = first.pointee.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(first.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw HTTPListenError(address, message(cl_errno())) }
        var on: Int32 = 1
        // Only lets a restarted server have the port of its own closed connections; two listeners still exclude each
        // other.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            listen(descriptor, backlog) == 0
        else {
            let code = cl_errno()
            close(descriptor)
            throw HTTPListenError(
                address, code == EADDRINUSE ? "the port is taken" : message(code), isTaken: code == EADDRINUSE)
        }
        return (descriptor, port(of: descriptor))
    }

    private static let backlog: Int32 = 4096

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return 0 }
            // The port stands at the same place for both families.
            return UInt16(bigEndian: base.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
        }
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
