/// What to do about a request, on the wire.
public struct SandboxReply: Sendable, Equatable {
    /// How the answer leaves.
    public enum Delivery: Sendable, Equatable {
        case answer
        /// The body's length is told, this many bytes are sent, and the connection is cut.
        case truncated(at: Int)
        /// No answer: the connection is reset.
        case reset
        /// No answer until the client goes away.
        case hang
    }

    /// The status, of an answer.
    public var status: Int
    /// Headers in order, with `Content-Type`.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// Milliseconds to wait first.
    public var delay: Int64 = 0
    /// How it leaves.
    public var delivery = Delivery.answer

    /// An answer without delay.
    public init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Same in everything that a client sees.
    public static func == (one: SandboxReply, other: SandboxReply) -> Bool {
        one.status == other.status && one.body == other.body && one.delay == other.delay
            && one.delivery == other.delivery && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
}
