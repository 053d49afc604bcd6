/// What holds for all transfers of one client.
public struct TransferSettings: Sendable {
    /// Most transfers at once; one more fails as `overLimit`.
    public var atOnce: Int
    /// How long name look-up, connecting and the TLS handshake may take together.
    public var connectTimeoutMilliseconds: Int
    /// A PEM file of certificate authorities to trust in place of the system's.
    public var certificateAuthorities: String?
    /// Transfers that share a libcurl handle: it walks a host's connections to find a free one, at 64 that cost stays
    /// flat.
    public var poolSize: Int

    /// Makes settings with 10 s to connect and the system's certificate authorities.
    public init(atOnce: Int, connectTimeoutMilliseconds: Int = 10_000, certificateAuthorities: String? = nil) {
        self.atOnce = atOnce
        self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
        self.certificateAuthorities = certificateAuthorities
        poolSize = 64
    }
}
