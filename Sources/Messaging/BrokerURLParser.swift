/// An AMQP URL that cannot be used, with what to write instead. Never holds a password.
public struct BrokerURLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Which of the list, counted from 1.
    public let position: Int
    /// What is wrong and what to write.
    public let text: String

    /// The position and the text.
    public var description: String { "broker URL \(position): \(text)" }
}

extension BrokerEndpoint {
    /// Reads one or more URLs, comma-separated: `amqp://user:password@host:port/vhost?heartbeat=20`.
    ///
    /// As RabbitMQ's URI specification: no path is the virtual host `/`, and so is `/%2F`; `/` alone would name the
    /// empty virtual host, which nobody means, and is refused. Parameters: `heartbeat` (seconds),
    /// `connection_timeout` (milliseconds), and with `amqps` also `cacertfile`, `certfile`, `keyfile`, `verify`
    /// (`verify_peer` or `verify_none`). A comma inside is `%2C`.
    public static func parseList(_ text: String) throws(BrokerURLError) -> [BrokerEndpoint] {
        var endpoints: [BrokerEndpoint] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            var parser = BrokerURLParser(position: endpoints.count + 1)
            endpoints.append(try parser.parse(item.trimmingSpaces()))
        }
        return endpoints
    }
}

private struct BrokerURLParser {
    let position: Int

    private static let example = "amqp://user:password@host:5672/%2F"

    mutating func parse(_ text: Substring) throws(BrokerURLError) -> BrokerEndpoint {
        if text.isEmpty { throw fault("is empty; an example: \(Self.example)") }
        guard let scheme = text.cutFirst(of: "://") else { throw fault("has no scheme; an example: \(Self.example)") }
        var endpoint = BrokerEndpoint(host: "")
        switch scheme.head.lowercased() {
        case "amqp": break
        case "amqps":
            endpoint.tls = .init()
            endpoint.port = 5671
        default: throw fault("begins with another scheme; use amqp:// or amqps://")
        }
        if scheme.rest.contains("#") { throw fault("has a '#'; write %23") }
        let query = scheme.rest.cutFirst(of: "?")
        let path = (query?.head ?? scheme.rest).cutFirst(of: "/")
        try readAuthority(path?.head ?? query?.head ?? scheme.rest, into: &endpoint)
        if let path { endpoint.vhost = try readVhost(path.rest) }
        if let query { try readQuery(query.rest, into: &endpoint) }
        return endpoint
    }

    private func readAuthority(_ text: Substring, into endpoint: inout BrokerEndpoint) throws(BrokerURLError) {
        var address = text
        if let at = text.lastIndex(of: "@") {
            let user = text[..<at]
            if user.contains("@") { throw fault("has more than one '@'; write %40 inside a user or password") }
            address = text[text.index(after: at)...]
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            endpoint.user = try decode(parts.first ?? "", "user")
            endpoint.password = parts.count > 1 ? try decode(parts[1], "password") : ""
            if endpoint.user.isEmpty { throw fault("has an empty user; an example: \(Self.example)") }
        }
        try readAddress(address, into: &endpoint)
    }

    private func readAddress(_ text: Substring, into endpoint: inout BrokerEndpoint) throws(BrokerURLError) {
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw fault("has '[' without ']' in its host") }
            endpoint.host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if rest.hasPrefix(":") {
                port = rest.dropFirst()
            } else if !rest.isEmpty {
                throw fault("has text after ']'")
            }
            guard endpoint.host.utf8.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { throw fault("has a host in [] that is no IPv6 address") }
        } else {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count > 2 { throw fault("has more than one ':' after its host; an IPv6 address goes into []") }
            endpoint.host = try decode(parts.first ?? "", "host")
            if parts.count > 1 { port = parts[1] }
            guard endpoint.host.utf8.allSatisfy(\.isHostByte) else {
                throw fault("has a host with a character that no host name has")
            }
        }
        if endpoint.host.isEmpty { throw fault("has no host; an example: \(Self.example)") }
        if endpoint.host.utf8.count > 253 { throw fault("has a host of over 253 bytes") }
        if let port {
            guard port.utf8.allSatisfy(\.isDigit), let number = Int(port), (1...65535).contains(number) else {
                throw fault("has a port that is no number from 1 to 65535")
            }
            endpoint.port = number
        }
    }

    private func readVhost(_ text: Substring) throws(BrokerURLError) -> String {
        if text.isEmpty {
            throw fault(
                "ends with '/', which names the empty virtual host; leave the '/' out, or write /%2F"
            )
        }
        if text.contains("/") { throw fault("has a '/' inside its virtual host; write %2F") }
        return try decode(text, "virtual host")
    }

    private func readQuery(_ text: Substring, into endpoint: inout BrokerEndpoint) throws(BrokerURLError) {
        for item in text.split(separator: "&", omittingEmptySubsequences: true) {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = try decode(pair.count > 1 ? pair[1] : "", "parameter")
            switch pair[0] {
            case "heartbeat":
                endpoint.heartbeatSeconds = try number(value, "heartbeat", "seconds", 1...3600)
            case "connection_timeout":
                endpoint.connectTimeoutMilliseconds = try number(
                    value, "connection_timeout", "milliseconds", 100...300_000)
            case "cacertfile", "certfile", "keyfile", "verify":
                try readTLS(pair[0], value, into: &endpoint)
            default:
                throw fault(
                    "has an unknown parameter; known: heartbeat, connection_timeout, cacertfile, certfile, keyfile, "
                        + "verify"
                )
            }
        }
    }

    private func readTLS(
        _ name: Substring, _ value: String, into endpoint: inout BrokerEndpoint
    ) throws(BrokerURLError) {
        guard endpoint.tls != nil else { throw fault("has \(name), which needs amqps://") }
        if value.isEmpty { throw fault("has an empty \(name)") }
        switch name {
        case "cacertfile": endpoint.tls?.authorities = value
        case "certfile": endpoint.tls?.certificate = value
        case "keyfile": endpoint.tls?.key = value
        default:
            guard value == "verify_peer" || value == "verify_none" else {
                throw fault("has a verify that is neither verify_peer nor verify_none")
            }
            endpoint.tls?.isVerified = value == "verify_peer"
        }
    }

    private func number(
        _ text: String, _ name: String, _ unit: String, _ range: ClosedRange<Int>
    ) throws(BrokerURLError) -> Int {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text), range.contains(number) else {
            throw fault("has a \(name) that is no number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Percent-decodes; the result is UTF-8 without NUL and at most 255 bytes, as AMQP's short strings are.
    private func decode(_ text: Substring, _ part: String) throws(BrokerURLError) -> String {
        var bytes: [UInt8] = []
        var source = text.utf8.makeIterator()
        while let byte = source.next() {
            guard byte == UInt8(ascii: "%") else {
                if byte <= 0x20 || byte == 0x7f { throw fault("has a space or control character; percent-encode it") }
                bytes.append(byte)
                continue
            }
            guard let high = source.next()?.hexValue, let low = source.next()?.hexValue else {
                throw fault("has a '%' in its \(part) that no two hex digits follow; write %25 for a percent sign")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw fault("has a \(part) that is not UTF-8 text")
        }
        if bytes.count > 255 { throw fault("has a \(part) of over 255 bytes") }
        return decoded
    }

    private func fault(_ text: String) -> BrokerURLError {
        BrokerURLError(position: position, text: text)
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        var text = self
        while let first = text.first, first == " " || first == "\n" || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\n" || last == "\t" { text.removeLast() }
        return text
    }

    fileprivate func cutFirst(of separator: String) -> (head: Substring, rest: Substring)? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(separator) {
                return (self[..<index], self[self.index(index, offsetBy: separator.count)...])
            }
            index = self.index(after: index)
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    fileprivate var isHexDigit: Bool { hexValue != nil }
    fileprivate var isHostByte: Bool {
        isDigit || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
    }
    fileprivate var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
