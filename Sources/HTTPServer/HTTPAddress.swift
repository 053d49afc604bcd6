/// Where to listen: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`; port 0 lets the system choose one.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// An address or name, without brackets.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes an address from its parts.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; nil when it is not that.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `host:port`, as it is read.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
