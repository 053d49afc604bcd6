/// Why a link is not ready, in words for a log line, and whether waiting can mend it.
public struct LinkProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of trouble it is.
    public enum Kind: Sendable, Equatable {
        /// Name not found, connection refused, no route.
        case unreachable
        /// Nothing came from the other side for too long.
        case silent
        /// The connection ended without a word.
        case cut
        /// The broker closed it by itself: a shutdown, an operator.
        case closedByBroker
        /// The certificate or the handshake.
        case tls
        /// User or password (403 at login).
        case credentials
        /// The virtual host does not exist or is not ours (530).
        case vhost
        /// The user may not do this (403).
        case permission
        /// A queue or exchange exists with other arguments (406).
        case mismatch(Mismatch)
        /// A queue or exchange does not exist (404).
        case missing(String)
        /// A queue whose marker exists is gone: made again it could lose what it took (see `TopologyPlan`).
        case queueGone(String)
        /// Another connection holds the queue for itself (405).
        case locked
        /// The queue takes no consumer in time, or the broker failed inside (541).
        case queueFailed(String)
        /// A plan or an address that cannot work.
        case invalid
        /// What else the broker refused.
        case protocolError
    }

    /// What kind of trouble it is.
    public let kind: Kind
    /// What happened, with the broker's own words where it said some.
    public let text: String
    /// What a person can do; empty where waiting is all there is to do.
    public let mend: String

    /// Makes a problem.
    public init(_ kind: Kind, _ text: String, mend: String = "") {
        self.kind = kind
        self.text = text
        self.mend = mend
    }

    /// Whether no retry mends it: wrong password, virtual host, permission, arguments, a queue that is gone.
    public var isPermanent: Bool {
        switch kind {
        case .credentials, .vhost, .permission, .mismatch, .queueGone, .invalid: true
        case .unreachable, .silent, .cut, .closedByBroker, .tls, .missing, .locked, .queueFailed, .protocolError: false
        }
    }

    /// The text, and the mend where there is one.
    public var description: String {
        mend.isEmpty ? text : "\(text); \(mend)"
    }
}

/// What differs between a queue or exchange that exists and the one that was asked for.
public struct Mismatch: Sendable, Equatable {
    /// `queue` or `exchange`.
    public let object: String
    /// Its name.
    public let name: String
    /// The argument, such as `x-message-ttl`, `durable`, `type`.
    public let argument: String
    /// What the existing one has; `none` where it lacks it.
    public let have: String
    /// What was asked for.
    public let want: String
    /// RabbitMQ's name for the type of what it has, such as `longstr`; empty where it does not say.
    var haveType = ""

    /// Reads RabbitMQ's sentence: `inequivalent arg 'A' for queue 'Q' in vhost 'V': received X but current is Y`,
    /// where X and Y are `none`, `'v'`, or `the value 'v' of type 't'`. Nil for another sentence.
    static func parse(_ text: String) -> Mismatch? {
        guard let start = text.range(ofASCII: "inequivalent arg '"),
            let argument = text[start.upperBound...].cut(at: "' for "),
            let object = argument.rest.cut(at: " '"),
            let name = object.rest.cut(at: "' in vhost '"),
            let received = name.rest.after("': received "),
            let values = received.cut(at: " but current is ")
        else { return nil }
        return Mismatch(
            object: String(object.head), name: String(name.head), argument: String(argument.head),
            have: value(values.rest).text, want: value(values.head).text, haveType: value(values.rest).type)
    }

    private static func value(_ text: Substring) -> (text: String, type: String) {
        guard let start = text.firstIndex(of: "'") else { return (String(text), "") }
        let inside = text[text.index(after: start)...]
        guard let parts = inside.cut(at: "' of type '") else { return (String(inside.prefix { $0 != "'" }), "") }
        return (String(parts.head), String(parts.rest.prefix { $0 != "'" }))
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What lies before and after the first `separator`.
    fileprivate func cut(at separator: String) -> (head: Substring, rest: Substring)? {
        guard let range = range(ofASCII: separator) else { return nil }
        return (self[startIndex..<range.lowerBound], self[range.upperBound..<endIndex])
    }

    fileprivate func after(_ separator: String) -> Substring? {
        cut(at: separator)?.rest
    }

    fileprivate func range(ofASCII needle: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(needle) { return index..<self.index(index, offsetBy: needle.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
