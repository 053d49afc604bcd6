import Charging

/// Stripe on virtual time: keys that remember for a day, tokens that are spent, objects that settle late, a search that
/// lags, and every way of failing that its documentation admits.
final class SimulatedStripe {
    unowned(unsafe) let world: World
    private var cards: [String: Card] = [:]
    /// By the plan's charges.
    private var keys: [[StoredKey]]
    private(set) var payments: [[Payment]]
    private var made = 0
    private var requests = 0
    /// Requests, executions and settlements that are still to come.
    var pending = 0
    /// Until then all answers are 503, or 401.
    var stormUntil: Int64 = 0
    var keyOutUntil: Int64 = 0

    init(world: World, charges: Int) {
        self.world = world
        keys = Array(repeating: [], count: charges)
        payments = Array(repeating: [], count: charges)
    }

    func register(_ cards: [(String, Card)]) {
        self.cards.reserveCapacity(cards.count)
        for (text, card) in cards { self.cards[text] = card }
    }

    /// An answer, and how long it takes to make.
    final class Served: Sendable {
        let work: Int64
        let outcome: StripeOutcome
        /// What a search or a list found; its outcome says nothing then.
        let finding: StripeFinding?

        init(_ work: Int64, _ outcome: StripeOutcome, finding: StripeFinding? = nil) {
            self.work = work
            self.outcome = outcome
            self.finding = finding
        }

        convenience init(_ work: Int64, _ answer: StripeAnswer) {
            self.init(work, .answered(answer))
        }

        /// What a visit hears that is dead, and one whose process slept.
        static let dead = Served(0, .noAnswer("dead"))
        static let cancelled = Served(0, .noAnswer("cancelled: the wall clock jumped"))
    }

    /// What stands before everything else: the key's validity and the limiter. Nothing is executed, nothing stored.
    func gate() -> Served? {
        requests += 1
        if world.now < keyOutUntil {
            return refusal(401, StripeError(type: "invalid_request_error"))
        }
        if world.now < stormUntil {
            if world.random.happens(0.1) { return Served(2, .notStripe("HTML with status 503")) }
            return failure(503)
        }
        if world.strikes(world.weather.limited) {
            let error = StripeError(type: "invalid_request_error", code: "rate_limit")
            var answer = StripeAnswer(status: 429, requestID: requestID, body: .error(error))
            let work = world.random.between(1, 50)
            if world.random.happens(0.5) { answer.retryAfter = world.random.between(1, 20) * 1000 }
            return Served(work, answer)
        }
        return nil
    }

    // MARK: Idempotency

    /// The stored answer, a conflict or a mismatch; nil when the key is new, or forgotten.
    func replay(_ text: String, _ call: StoredKey.Call, _ body: [UInt8], charge: Int) -> Served? {
        guard let key = keys[charge].last(where: { $0.text == text && world.now - $0.created < StoredKey.keeps })
        else { return nil }
        guard key.call == call, key.body == body else {
            return refusal(400, StripeError(type: "idempotency_error"))
        }
        guard var answer = key.answer else {
            return refusal(409, StripeError(type: "invalid_request_error", code: "idempotency_key_in_use"))
        }
        answer.replayed = true
        answer.requestID = requestID
        return Served(world.random.between(1, 20), answer)
    }

    func store(_ text: String, _ call: StoredKey.Call, _ body: [UInt8], charge: Int) -> StoredKey {
        let key = StoredKey(text, call, body: body, created: world.now)
        keys[charge].append(key)
        return key
    }

    func forget(_ key: StoredKey, charge: Int) {
        keys[charge].removeAll { $0 === key }
    }

    // MARK: Parts of answers

    var requestID: String { "req_" + String(requests) }

    func card(_ token: String?) -> Card? { token.flatMap { cards[$0] } }

    func failure(_ status: Int) -> Served {
        Served(world.random.between(1, 50), .answered(failureAnswer(status)))
    }

    func failureAnswer(_ status: Int) -> StripeAnswer {
        let hint: Bool? =
            switch world.random.below(10) {
            case 0, 1: false
            case 2: true
            default: nil
            }
        return StripeAnswer(
            status: status, requestID: requestID, shouldRetry: hint, body: .error(StripeError(type: "api_error")))
    }

    func refusal(_ status: Int, _ error: StripeError) -> Served {
        Served(
            world.random.between(1, 50), StripeAnswer(status: status, requestID: requestID, body: .error(error)))
    }

    // MARK: Payments

    func nextNumber() -> Int {
        made += 1
        return made
    }

    /// A payment is there.
    func add(_ payment: Payment) {
        guard let charge = payment.charge, payments.indices.contains(charge) else { return }
        payment.intentShows = world.now + world.searchLag()
        payment.chargeShows = world.now + world.searchLag()
        payments[charge].append(payment)
        world.story.tell(
            world.now, charge: charge, .executed, detail: Int64(payment.number),
            "Stripe made \(payment.chargeID): \(payment.state)")
        if payment.state.hasMoved { world.audit.moved(payment) }
    }

    /// A payment changes, later.
    func change(_ payment: Payment, to state: Payment.State, failure: StripeError? = nil) {
        if payment.state.hasMoved { world.audit.undone(payment) }
        payment.become(state, at: world.now)
        if let failure { payment.failure = failure }
        world.story.tell(
            world.now, charge: payment.charge, .moved, detail: Int64(payment.number),
            "\(payment.chargeID) at Stripe is now \(state)")
        if state.hasMoved { world.audit.moved(payment) }
    }

    func later(_ delay: Int64, _ action: @escaping () -> Void) {
        pending += 1
        world.clock.after(delay) { [unowned(unsafe) self] in
            pending -= 1
            action()
        }
    }
}
