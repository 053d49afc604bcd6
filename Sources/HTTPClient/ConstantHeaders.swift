internal import CLibCurl

/// Header lines that many requests share: made once, handed to libcurl as they are, never printed (one may be a key).
///
/// A request names its headers by a reference to these, so that a new key is a new value and open transfers keep the
/// old one.
public final class ConstantHeaders: Sendable, CustomStringConvertible, CustomReflectable {
    // Written in `init` only, freed in `deinit`: any thread may read them.
    nonisolated(unsafe) let first: UnsafeMutablePointer<curl_slist>?
    nonisolated(unsafe) private let text: UnsafeMutablePointer<CChar>
    nonisolated(unsafe) private let nodes: UnsafeMutablePointer<curl_slist>
    private let textBytes: Int

    /// Makes them of name and value pairs, in order.
    ///
    /// A value with a control character in it, or an empty one, is left out: it could end the line and begin another.
    /// `Expect:` is switched off: Stripe's servers need no permission to read a kilobyte, and it costs a round trip.
    public init(_ fields: [(name: String, value: String)]) {
        let lines =
            fields.filter { HeaderField.isSafe($0.value) && !$0.value.isEmpty }.map { "\($0.name): \($0.value)" }
            + ["Expect:"]
        textBytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        text = .allocate(capacity: textBytes)
        nodes = .allocate(capacity: lines.count)
        var at = text
        for (index, line) in lines.enumerated() {
            let next = index + 1 < lines.count ? nodes + index + 1 : nil
            (nodes + index).initialize(to: curl_slist(data: at, next: next))
            for byte in line.utf8 {
                at.initialize(to: CChar(bitPattern: byte))
                at += 1
            }
            at.initialize(to: 0)
            at += 1
        }
        first = nodes
    }

    deinit {
        // Not left behind for whoever gets the memory next.
        for index in 0..<textBytes { text[index] = 0 }
        text.deallocate()
        nodes.deallocate()
    }

    /// A mask.
    public var description: String { "headers (hidden)" }

    /// Nothing: the lines may hold a key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A header of one request.
public struct HeaderField: Sendable {
    /// Its name, as sent.
    public let name: StaticString
    /// Its value; one with a control character in it makes the request fail before it is sent.
    public let value: String

    /// Makes one.
    public init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether a value can stand in a header line: a CR or LF would begin another header.
    static func isSafe(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
