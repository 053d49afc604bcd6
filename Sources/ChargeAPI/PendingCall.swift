internal import Charging
internal import EventLoop
internal import HTTPServer

/// One request for a charge, from its reading to its answer.
final class PendingCall {
    /// Which call it is, and so how it is answered.
    enum Kind {
        case charges, charge

        /// Its name in logs and metrics.
        var name: StaticString { self == .charges ? "charges" : "charge" }
    }

    let exchange: HTTPExchange
    let kind: Kind
    let requestID: String
    let caller: Caller
    let request: ChargeRequest
    /// What is published.
    let body: [UInt8]
    let lane: String
    /// Milliseconds since 1970.
    let acceptedAt: Int64
    /// By the monotonic clock, in nanoseconds.
    let startedAt: Int64
    /// How long it waits for its result; nil for not at all.
    let waitMilliseconds: Int64?
    /// Seconds of the wait that the answer names, because the request did.
    let namedWait: Int64?

    /// The broker has the charge.
    var isConfirmed = false
    /// The wait is over, and only the confirm is missing.
    var isOver = false
    var timer: LoopTimer?

    init(
        _ exchange: HTTPExchange, _ kind: Kind, requestID: String, caller: Caller, request: ChargeRequest, lane: String,
        acceptedAt: Int64, startedAt: Int64, waitMilliseconds: Int64?, namedWait: Int64?
    ) {
        self.exchange = exchange
        self.kind = kind
        self.requestID = requestID
        self.caller = caller
        self.request = request
        body = request.json()
        self.lane = lane
        self.acceptedAt = acceptedAt
        self.startedAt = startedAt
        self.waitMilliseconds = waitMilliseconds
        self.namedWait = namedWait
    }

    /// Whether a result of this charge's id answers this very request. The same id may have been sent with other
    /// contents: then the one's success is not the other's, and only the one's refusal is the one's.
    func isAnswered(by result: ChargeResult) -> Bool {
        switch result.status {
        // Look-ups go on, and may end within the wait.
        case .unknown: false
        case .refused: result.event == refusal.event
        default: result.amount == request.amount && result.currency == request.currency
        }
    }

    /// What the refusal of this body would be called.
    private var refusal: ChargeResult {
        ChargeResult.refused(
            id: request.id, body: body, lane: lane, failure: ChargeFailure(code: "", message: ""), acceptedAt: nil,
            completedAt: 0)
    }
}

/// Those who wait for results.
struct WaitingRoom {
    private var calls: [ChargeID: [PendingCall]] = [:]
    private(set) var count = 0

    mutating func add(_ call: PendingCall) {
        calls[call.request.id, default: []].append(call)
        count += 1
    }

    mutating func remove(_ call: PendingCall) {
        guard var here = calls[call.request.id], let index = here.firstIndex(where: { $0 === call }) else { return }
        here.remove(at: index)
        calls[call.request.id] = here.isEmpty ? nil : here
        count -= 1
    }

    /// Those whom a result answers; they leave.
    mutating func take(answeredBy result: ChargeResult) -> [PendingCall] {
        guard count > 0, let here = calls[result.id] else { return [] }
        let answered = here.filter { $0.isAnswered(by: result) }
        for call in answered { remove(call) }
        return answered
    }

    var all: [PendingCall] { calls.values.flatMap { $0 } }
}
