internal import CLinux

/// A first part for exchange and queue names that no other test uses: 14 of `a-z0-9`.
public func uniquePrefix() -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return "t" + String((0..<13).map { _ in alphabet.randomElement() ?? "x" })
}

/// A port of 127.0.0.1 that was free a moment ago, for a server to be started on. It lies below the range from which
/// the kernel takes the ports of outgoing connections, so none of those gets it meanwhile.
public func freePort() -> Int {
    while true {
        let port = Int.random(in: 12_000..<20_000)
        if let (descriptor, _) = listenOnLoopback(port) {
            close(descriptor)
            return port
        }
    }
}

/// A listening descriptor and its port; nil where the port is taken.
private func listenOnLoopback(_ port: Int) -> (descriptor: Int32, port: Int)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) | listen(descriptor, 64) | getsockname(descriptor, $0, &length)
        }
    }
    guard failed == 0 else {
        close(descriptor)
        return nil
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}

/// A socket that listens on 127.0.0.1 and, unless told to, never accepts or answers: a silent peer.
public struct ListeningSocket: Sendable {
    /// Its descriptor.
    public let descriptor: Int32
    /// Its port.
    public let port: Int

    /// Listens on `port`, or on a free one where it is 0.
    public init(port: Int = 0) {
        let listening = listenOnLoopback(port)
        precondition(listening != nil, "cannot listen on 127.0.0.1:\(port)")
        (descriptor, self.port) = listening ?? (-1, 0)
    }

    /// Waits for a connection and returns its descriptor. Blocks the calling thread.
    public func accept() -> Int32 {
        CLinux.accept(descriptor, nil, nil)
    }

    /// Stops listening.
    public func close() {
        CLinux.close(descriptor)
    }
}

/// Writes a text to a connected socket and closes it.
public func answer(_ descriptor: Int32, _ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    close(descriptor)
}
