internal import CLinux

/// Questions about addresses as text. No names are looked up.
enum IPAddress {
    /// `127.0.0.1`: four numbers, as inet_pton(3) takes them (no octal, no short forms).
    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    /// `::1`, without brackets.
    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }

    /// 127.0.0.0/8, `::1`, or the name `localhost` (RFC 6761: never looked up elsewhere).
    static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        if isIPv4(host) { return host.hasPrefix("127.") }
        var address = in6_addr()
        guard inet_pton(AF_INET6, host, &address) == 1 else { return false }
        return withUnsafeBytes(of: &address) { $0.last == 1 && $0.dropLast().allSatisfy { $0 == 0 } }
    }
}
