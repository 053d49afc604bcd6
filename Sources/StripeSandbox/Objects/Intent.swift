/// A payment intent.
struct Intent: Sendable {
    enum Status: String, Sendable {
        case requiresMethod = "requires_payment_method"
        case requiresConfirmation = "requires_confirmation"
        case requiresAction = "requires_action"
        case requiresCapture = "requires_capture"
        case processing, canceled, succeeded
    }

    enum Capture: String, Sendable {
        case automatic, manual
        case automaticAsync = "automatic_async"
    }

    /// How the payment methods that may pay were chosen.
    enum Methods: Sendable, Equatable {
        case listed([String])
        /// By the account's settings; `redirects` says whether ones that leave the page may be among them.
        case automatic(redirects: Bool)
    }

    private(set) var number: Int
    let scope: Int
    /// Milliseconds since 1970 on the sandbox's clock.
    let created: Int64
    var purchase: Kept<Purchase>
    var capture = Capture.automaticAsync
    var methods = Methods.listed(["card"])
    var setupFutureUsage: String?
    var status = Status.requiresMethod
    /// What is to pay; taken away again by a decline.
    var instrument: Instrument?
    var card: Card?
    /// The newest charge.
    var latestCharge: Int?
    /// Why the last try failed; the instrument of that try is `failedInstrument`.
    var failure: Kept<Decline>?
    var failedInstrument: Instrument?
    /// Whether the failure came before any charge was made.
    var failedBeforeCharge = false
    var amountCapturable: Int64 = 0
    var amountReceived: Int64 = 0
    var returnURL: String?
    /// Milliseconds since 1970.
    var canceledAt: Int64?
    var cancellationReason: String?

    var amount: Int64 { purchase.value.amount }

    /// The same with its number and what it is for: known only once execution has begun.
    func placed(_ number: Int, _ purchase: Kept<Purchase>) -> Intent {
        var placed = self
        placed.number = number
        placed.purchase = purchase
        return placed
    }
}
