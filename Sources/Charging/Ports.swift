/// The broker, as a visit needs it. The live one is in ChargeWorker, the simulated one in SimulationKit.
public protocol BrokerPort: AnyObject {
    /// Whether the delivery can still be acked: its channel is the one that brought it.
    func isOpen(_ delivery: ChargeDelivery) -> Bool
    /// Publishes, persistent and mandatory, and waits for the broker's word.
    func publish(_ message: OutgoingMessage) async -> PublishWord
    /// Acks; harmless when the delivery's channel has gone.
    func ack(_ delivery: ChargeDelivery)
}

/// The broker's word on a publish.
public enum PublishWord: Sendable, Equatable {
    /// It is stored: the delivery may be acked.
    case confirmed
    /// Nacked or returned: the broker is there and does not take it.
    case refused
    /// No word: the connection went, or there was none. It may be stored all the same.
    case lost
}

/// Something a visit publishes.
public indirect enum OutgoingMessage: Sendable {
    /// A result, to the results exchange; a courtesy copy goes to the request's `reply_to`.
    case result(ChargeResult, for: ChargeDelivery)
    /// The charge again, to the wait queue of this delay, with these headers.
    case wait(WaitTier, ChargeDelivery, ChargeHeaders)
    /// The charge again at once, with these headers: its acceptance was stamped.
    case again(ChargeDelivery, ChargeHeaders)
    /// The charge, to the parked queue, with the reason. `body` replaces its own where that must not be kept.
    case park(ParkReason, ChargeDelivery, ChargeHeaders, body: [UInt8]?)
}

/// Stripe, as a visit needs it. The live one is `StripeGateway`, the simulated one in SimulationKit.
public protocol StripePort: AnyObject {
    /// Sends a charge: the form as it is, under the charge's id as idempotency key.
    func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome
    /// Searches payment intents and charges by `metadata['chargeline_id']`. Late by up to an hour: a miss proves
    /// nothing.
    func search(_ id: ChargeID, account: String?) async -> StripeFinding
    /// Pages through the payment intents and charges made in this window (seconds since 1970) and keeps those of the
    /// id.
    func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding
    /// Reads an object by its id, at once consistent.
    func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome
    /// Cancels an open intent of ours, under the key `<id>/cancel`.
    func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome
    /// Spends a one-time token on nothing, under the key `<id>/burn`: a 200 proves that no charge used it or ever will.
    func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome
    /// Whether the key's mode is live; a message may insist on one.
    var isLive: Bool { get }
}

/// What a search or list came to.
public enum StripeFinding: Sendable, Equatable {
    /// The objects that carry the id, newest first; none is no proof.
    case found([StripeObject])
    /// Stripe did not say.
    case failed(StripeOutcome)
}

/// Time and chance, passed in so that a simulation can own both.
public protocol ClockPort: AnyObject {
    /// The wall clock, ms since 1970.
    func now() -> Int64
    /// Waits by the monotonic clock.
    func sleep(milliseconds: Int64) async
    /// A number in 0..<1.
    func chance() -> Double
}

/// Who may call Stripe, and when: the account's rate, the breaker, the drain.
public protocol TrafficPort: AnyObject {
    /// Waits for a turn; `stop` means the charge is to be given back.
    func turn(_ use: StripeUse, lane: String) async -> Turn
    /// Told after each call, so that the rate, the breaker and the operator's stop can follow.
    func saw(_ signal: TrafficSignal)
}

/// What a turn is for. Look-ups get at most a fifth of the rate.
public enum StripeUse: Sendable, Equatable {
    /// A send that may move money.
    case charge
    /// A read.
    case lookup
}

/// The answer to a request for a turn.
public enum Turn: Sendable, Equatable {
    /// Call now.
    case go
    /// No calls for now: give the charge back.
    case stop
}

/// What a call told about the state of things.
public enum TrafficSignal: Sendable, Equatable {
    /// Stripe works: any answer of its own about this charge.
    case answered
    /// The account's quota is used up.
    case limited
    /// Stripe fails: a 5xx, a timeout after connecting, something that is not Stripe.
    case failing
    /// An answer that is not Stripe's.
    case notStripe
    /// Nothing left this machine.
    case notSent
    /// A key, a setting or a certificate may be wrong; the text names it.
    case operatorNeeded(String)
    /// The broker does not take a result: nobody would learn of more charges.
    case resultRefused
    /// The broker took a result.
    case resultStored
    /// A request was rejected as this code and parameter; many alike in a row are our fault, not the callers'.
    case rejected(String)
}
