/// The base of a service's URLs: scheme, host, port and perhaps a path; never a user, a query or a fragment.
public struct ServiceURL: Sendable, Hashable, CustomStringConvertible {
    /// Whether it is `https`.
    public let isSecure: Bool
    /// A name or an address; an IPv6 address without its brackets.
    public let host: String
    /// The port, the scheme's own if none was written.
    public let port: UInt16
    /// The whole, without a slash at its end: a path such as `/v1/balance` can be appended.
    public let description: String

    /// `https://host[:port][/path]` or the same with `http`; nil for anything else.
    public init?(_ text: String) {
        let isSecure = text.lowercased().hasPrefix("https://")
        guard isSecure || text.lowercased().hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(isSecure ? 8 : 7)
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !rest.contains(where: { "@?#\\\"<>".contains($0) })
        else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.split(authority, defaultPort: isSecure ? 443 : 80) else { return nil }
        self.isSecure = isSecure
        self.host = host
        self.port = port
        var whole = text
        while whole.hasSuffix("/") { whole.removeLast() }
        description = whole
    }

    /// Whether only this machine can be meant.
    public var isLoopback: Bool { IPAddress.isLoopback(host) }

    private static func split(_ authority: Substring, defaultPort: UInt16) -> (String, UInt16)? {
        var host = authority
        var port: UInt16? = defaultPort
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            port = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(digits) : nil
        }
        guard let port, port > 0 else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = String(host.dropFirst().dropLast())
            return IPAddress.isIPv6(address) ? (address, port) : nil
        }
        let isName = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
        }
        return !host.isEmpty && isName ? (String(host), port) : nil
    }
}
