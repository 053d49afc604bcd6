/// The method of a request.
public enum HTTPMethod: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Sends a body to be acted on.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Removes.
    case delete = "DELETE"
}

/// One request, complete.
public struct TransferRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute `http` or `https` address, encoded.
    public var url: String
    /// Headers that other requests have too.
    public var headers: ConstantHeaders
    /// Headers of this request alone, such as its idempotency key.
    public var fields: [HeaderField]
    /// The body; sent as a form unless a header says otherwise.
    public var body: [UInt8]
    /// How long all of it may take, from the start to the last byte of the answer.
    public var timeoutMilliseconds: Int
    /// A longer answer fails as `tooLarge`.
    public var answerBytesMax: Int

    /// Makes one; by default it may take 30 s and be answered by 1 MiB.
    public init(
        _ method: HTTPMethod, _ url: String, headers: ConstantHeaders, fields: [HeaderField] = [], body: [UInt8] = [],
        timeoutMilliseconds: Int = 30_000, answerBytesMax: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.fields = fields
        self.body = body
        self.timeoutMilliseconds = timeoutMilliseconds
        self.answerBytesMax = answerBytesMax
    }
}
