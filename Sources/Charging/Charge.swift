/// A charge in a worker's hands: its request, and what this and earlier visits know of it.
struct Charge {
    let delivery: ChargeDelivery
    let request: ChargeRequest
    /// When it was accepted, ms since 1970.
    let accepted: Int64
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
        self.notAfter = notAfter
        headers = delivery.headers
        headers.accepted = accepted
        if delivery.redelivered || delivery.deliveryCount > 0 {
            // Another worker had it and did not say what it did: it may have sent it until just now. Written into the headers, since
            // a republished copy is no redelivery any more.
            headers.firstSent = headers.firstSent ?? accepted
            headers.lastSent = max(headers.lastSent ?? accepted, now)
        }
    }

    /// Notes a send that may have left at `now`.
    mutating func sent(at now: Int64, flow: Flow, encoding: Int) {
        headers.firstSent = headers.firstSent ?? now
        headers.lastSent = now
        headers.flow = flow
        headers.encoding = encoding
    }
}
