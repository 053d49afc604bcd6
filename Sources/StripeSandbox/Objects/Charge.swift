/// A try to move money, in Stripe's words a charge; failed ones are kept too.
struct Charge: Sendable {
    enum Status: String, Sendable {
        case succeeded, pending, failed
    }

    let number: Int
    /// Account and mode that it belongs to.
    let scope: Int
    /// Milliseconds since 1970 on the sandbox's clock.
    let created: Int64
    private(set) var purchase: Kept<Purchase>
    let card: Card
    let instrument: Instrument
    /// The payment intent that it was made for.
    let intent: Int?
    let idempotencyKey: String?
    var status = Status.succeeded
    /// Nil unless it failed.
    var decline: Kept<Decline>?
    var captured = true
    var isDisputed = false
    var amountCaptured: Int64 = 0
    /// An authorization that was let go counts as refunded.
    var amountRefunded: Int64 = 0

    var amount: Int64 { purchase.value.amount }
    var isRefunded: Bool { amountRefunded > 0 && amountRefunded >= amount }

    /// As the ledger says it: what happened to the money, until now.
    var standing: String {
        if status == .failed { return "failed" }
        if isRefunded { return "canceled" }
        return captured ? "succeeded" : "authorized"
    }

    /// Whether money moved or stands reserved.
    var movesMoney: Bool { status != .failed && !isRefunded }

    func with(_ purchase: Kept<Purchase>) -> Charge {
        var changed = self
        changed.purchase = purchase
        return changed
    }
}
