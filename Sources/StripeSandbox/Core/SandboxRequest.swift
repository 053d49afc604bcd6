/// One HTTP request, taken apart.
public struct SandboxRequest: Sendable {
    /// `GET`, `POST`, …
    public var method: String
    /// Without the query, percent encoding taken off.
    public var path: String
    /// The query as sent, without the question mark.
    public var query = ""
    /// The body.
    public var body: [UInt8] = []
    /// Header `Authorization`.
    public var authorization: String?
    /// Header `Content-Type`.
    public var contentType: String?
    /// Header `Idempotency-Key`.
    public var idempotencyKey: String?
    /// Header `Stripe-Account`.
    public var account: String?
    /// Header `Stripe-Version`.
    public var version: String?

    /// A request without headers or body.
    public init(_ method: String, _ path: String) {
        self.method = method
        self.path = path
    }
}
