import Charging

/// A payment at the simulated Stripe: an intent with its charge, or a charge of the older API.
final class Payment {
    /// Where it stands.
    enum State: Equatable {
        case succeeded
        case requiresCapture
        case declined
        case waitsForBuyer
        case processing
        case canceled
        /// An intent that nobody confirmed.
        case open

        /// Whether money is moved, or reserved.
        var hasMoved: Bool { self == .succeeded || self == .requiresCapture }
    }

    let number: Int
    let intentID: String
    let chargeID: String
    /// Which of the plan's charges, by `chargeline_id`.
    let charge: Int?
    let flow: Flow
    let form: SentForm
    /// Ms since 1970.
    let created: Int64
    private(set) var state: State
    var failure: StripeError?
    /// When the search begins to know it: the intent, and its charge.
    var intentShows: Int64 = 0
    var chargeShows: Int64 = 0
    /// What a search says of it, a while behind.
    private var before: State
    private var changed: Int64

    init(number: Int, charge: Int?, flow: Flow, form: SentForm, created: Int64, state: State) {
        self.number = number
        intentID = "pi_" + String(number)
        chargeID = "ch_" + String(number)
        self.charge = charge
        self.flow = flow
        self.form = form
        self.created = created
        self.state = state
        before = state
        changed = created
    }

    var hasCharge: Bool {
        flow == .charges || state.hasMoved || state == .processing || (state == .declined && !wantsAuthentication)
    }
    private var wantsAuthentication: Bool { failure?.code == "authentication_required" }

    func become(_ state: State, at now: Int64) {
        before = self.state
        self.state = state
        changed = now
    }

    /// The intent as it is, or as a search sees it.
    func intent(seen: Int64? = nil) -> StripeObject {
        let state = state(seen: seen)
        let status =
            switch state {
            case .succeeded: "succeeded"
            case .requiresCapture: "requires_capture"
            case .declined, .open: "requires_payment_method"
            case .waitsForBuyer: "requires_action"
            case .processing: "processing"
            case .canceled: "canceled"
            }
        var object = StripeObject(
            kind: .paymentIntent, id: intentID, status: status, amount: form.amount, currency: form.currency)
        object.chargeID = hasCharge ? chargeID : nil
        object.paid = state == .succeeded
        fill(&object)
        return object
    }

    /// The charge as it is, or as a search sees it.
    func chargeObject(seen: Int64? = nil) -> StripeObject {
        let state = state(seen: seen)
        let status =
            switch state {
            case .succeeded, .requiresCapture: "succeeded"
            case .processing: "pending"
            case .declined, .waitsForBuyer, .canceled, .open: "failed"
            }
        var object = StripeObject(
            kind: .charge, id: chargeID, status: status, amount: form.amount, currency: form.currency)
        object.captured = state == .succeeded
        object.paid = state.hasMoved
        object.paymentIntentID = flow == .paymentIntents ? intentID : nil
        fill(&object)
        return object
    }

    /// What the call that made it answers with.
    func answer() -> StripeObject { flow == .paymentIntents ? intent() : chargeObject() }

    private func state(seen: Int64?) -> State {
        guard let seen, seen < changed + min(60_000, chargeShows - created) else { return state }
        return before
    }

    private func fill(_ object: inout StripeObject) {
        object.created = created / 1000
        object.customer = form.customer
        object.chargelineID = form.chargelineID
        object.chargelinePrint = form.print
        object.failure = failure
    }
}
