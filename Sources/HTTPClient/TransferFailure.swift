/// Why no answer came.
public struct TransferFailure: Error, Sendable, Equatable {
    /// The cause, in a bounded set of words.
    public enum Kind: String, Sendable, CaseIterable {
        /// The name has no address, or nobody said.
        case resolve
        /// Refused, unreachable, or the proxy would not.
        case connect
        /// The TLS handshake failed.
        case tlsHandshake
        /// The server's certificate, or our store of authorities, does not hold: nothing a retry can mend.
        case certificate
        /// Time was up before a connection stood.
        case timeoutBeforeConnect
        /// Time was up after the request had, or may have, begun to leave.
        case timeoutAfterConnect
        /// The connection ended without an answer.
        case reset
        /// The request could not be written to its end.
        case sendFailed
        /// The answer began and did not end.
        case truncated
        /// An HTTP/2 stream or connection was ended by the server (RST_STREAM, GOAWAY).
        case http2
        /// The answer is longer than the caller takes.
        case tooLarge
        /// What came back is not HTTP.
        case notHTTP
        /// Ended by `cancelAll` or `shutdown`.
        case cancelled
        /// The address or a header cannot be sent.
        case badRequest
        /// More transfers at once than the settings allow.
        case overLimit
        /// Anything else.
        case other
    }

    /// The cause.
    public var kind: Kind
    /// What libcurl said, printable, at most 200 characters; it holds no header and no body.
    public var message: String
    /// Bytes of the request may have left this machine; false is certain.
    ///
    /// Never reset by what follows: libcurl sends a request again, up to five times, when a *reused* connection dies
    /// before any byte of an answer (`Curl_retry_request`), so a transfer that ends as refused may have been sent over
    /// another connection before.
    public var mayHaveBeenSent: Bool

    /// Makes one.
    public init(_ kind: Kind, _ message: String, mayHaveBeenSent: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveBeenSent = mayHaveBeenSent
    }
}
