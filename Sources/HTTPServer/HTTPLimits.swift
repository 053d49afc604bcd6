/// How much of its machine a listener gives to its clients.
public struct HTTPLimits: Sendable {
    /// The largest body, in bytes; a larger one is answered 413. A route may have its own, see `HTTPHead`.
    public var bodyBytes = 1 << 20
    /// Connections at once; more wait in the kernel's queue.
    public var connections: UInt32 = 10_000
    /// Connections at once from one address; 0 for no limit.
    public var connectionsPerAddress: UInt32 = 0
    /// Memory of one connection, for its request line, headers and the headers of the answer; more headers than fit are
    /// answered 431.
    public var headerBytes = 16 << 10
    /// A connection without a byte in either direction for this long is closed; a request that waits for its answer
    /// does not count.
    public var idleSeconds: UInt32 = 60

    /// The defaults.
    public static let standard = HTTPLimits()

    /// Makes the defaults, to be changed.
    public init() {}
}

/// What to do with a request whose headers have been read and whose body has not.
public enum HTTPHead: Sendable {
    /// Read a body of up to this many bytes; more is answered 413.
    case read(bodyBytes: Int)
    /// Answer at once and close the connection, without reading the body.
    case refuse(HTTPResponse)
}
