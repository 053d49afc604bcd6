/// How a transfer ended.
public enum TransferOutcome: Sendable {
    /// An answer came, whole.
    case reply(HTTPReply)
    /// None did.
    case failed(TransferFailure)
}

/// An HTTP answer, whatever its status. Redirects are answers too: they are never followed.
public struct HTTPReply: Sendable {
    /// The status.
    public var status: Int
    /// The headers that were asked for.
    public var headers: ReplyHeaders
    /// The body, decoded from its transfer encoding.
    public var body: [UInt8]
    /// The protocol spoken.
    public var version: HTTPVersion
    /// Whether a connection was made for it.
    public var madeConnection: Bool
}

/// A version of HTTP.
public enum HTTPVersion: Sendable {
    /// 1.0 or older.
    case http10
    /// 1.1.
    case http11
    /// 2.
    case http2
}
