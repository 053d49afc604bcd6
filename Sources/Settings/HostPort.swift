/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:0`.
public struct HostPort: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 address, the latter without its brackets.
    public let host: String
    /// 0 lets the system choose.
    public let port: UInt16

    /// An address, not checked.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `address:port`, an IPv6 address in brackets; nil for anything else, a host name too: what is listened on must
    /// not depend on a name service.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = String(text[..<colon])
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit), let port = UInt16(digits)
        else {
            return nil
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard IPAddress.isIPv6(host) else { return nil }
        } else {
            guard IPAddress.isIPv4(host) else { return nil }
        }
        self.init(host: host, port: port)
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { IPAddress.isLoopback(host) }

    /// As it is written in settings and URLs.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
