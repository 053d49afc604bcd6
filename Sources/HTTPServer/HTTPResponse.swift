/// A header, or a pair of a query or a form.
public struct HTTPField: Sendable, Hashable {
    /// The name as written; header names compare without case.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// An answer.
public struct HTTPResponse: Sendable {
    /// The status, 200 to 599.
    public var status: Int
    /// Headers in order. `Content-Length`, `Date` and `Connection` are the server's; a field that HTTP does not allow
    /// is left out.
    public var headers: [HTTPField]
    /// The body.
    public var body: [UInt8]
    /// For a server that breaks on purpose: the whole length is declared, this many bytes are sent, then the connection
    /// is cut.
    public var truncatedAt: Int?
    /// Sent in chunks instead of with its length.
    public var isChunked = false
    /// The connection ends after it.
    public var closesConnection = false

    /// Makes an answer.
    public init(_ status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes an answer with a text of type `contentType`.
    public init(_ status: Int, text: String, contentType: String = "text/plain; charset=utf-8") {
        self.init(status, headers: [HTTPField("Content-Type", contentType)], body: Array(text.utf8))
    }

    /// Makes an answer of finished JSON.
    public init(_ status: Int, json: [UInt8]) {
        self.init(status, headers: [HTTPField("Content-Type", "application/json")], body: json)
    }

    /// Adds a header and returns the answer.
    public func with(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.append(HTTPField(name, value))
        return copy
    }
}
