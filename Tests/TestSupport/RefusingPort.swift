internal import CLinux

/// A port of 127.0.0.1 that refuses connections and that nobody else is given meanwhile: bound, not listening.
public struct RefusingPort: Sendable {
    /// Its number.
    public let number: Int
    private let descriptor: Int32

    /// Takes a free one.
    public init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Lets a socket that is to listen be bound beside it: this one then keeps the number when that one has gone.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
            }
        }
        precondition(failed == 0, "cannot bind on 127.0.0.1")
        self.descriptor = descriptor
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Gives it back.
    public func close() {
        CLinux.close(descriptor)
    }
}
