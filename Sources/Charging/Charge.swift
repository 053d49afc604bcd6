/// A charge in a worker's hands: its request, and what this and earlier visits know of it.
struct Charge {
    let delivery: ChargeDelivery
    let request: ChargeRequest
    /// When it was accepted, ms since 1970.
    let accepted: Int64
    /// Whether its submitter said when: else it was stamped by the first worker that met it, and may be as old as the
    /// queue.
    let isAgeKnown: Bool
    /// No first send after this, ms since 1970.
    let notAfter: Int64?
    /// What the next visit will be told.
    var headers: ChargeHeaders

    /// Never cleared: set by a header, by a redelivery, or by a send of this visit that may have left.
    var mayHaveBeenSent: Bool { headers.firstSent != nil }

    init(delivery: ChargeDelivery, request: ChargeRequest, accepted: Int64, notAfter: Int64?, now: Int64) {
        self.delivery = delivery
        self.request = request
        self.accepted = accepted
        isAgeKnown = delivery.timestamp.map { ($0 &* 1000 &- accepted).magnitude <= 60_000 } ?? false
        self.notAfter = notAfter
        headers = delivery.heldHeaders(now: now)
        headers.accepted = accepted
    }

    /// Notes a send that may have left at `now`.
    mutating func sent(at now: Int64, flow: Flow, encoding: Int) {
        headers.firstSent = headers.firstSent ?? now
        headers.lastSent = now
        headers.flow = flow
        headers.encoding = encoding
    }
}

extension ChargeDelivery {
    /// The headers with what the delivery itself tells: a redelivered charge was in another worker's hands, which may
    /// have sent it until just now and did not say. Written into the headers, since a republished copy is no redelivery
    /// any more.
    func heldHeaders(now: Int64) -> ChargeHeaders {
        guard redelivered || deliveryCount > 0 else { return headers }
        var headers = headers
        let since = headers.accepted ?? timestamp.map { $0 &* 1000 } ?? now
        headers.firstSent = headers.firstSent ?? min(since, now)
        headers.lastSent = max(headers.lastSent ?? now, now)
        return headers
    }
}
