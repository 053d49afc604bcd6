internal import Charging

/// What a worker will do with a charge, by what Stripe has of it now.
enum Forecast: Sendable {
    /// This will be said of it, by what Stripe has or by the rules.
    case result(ChargeResult)
    /// Stripe has nothing of it: it will be sent.
    case tried(again: Bool)
    /// Stripe has nothing of it, and it is too late for it to be sent.
    case proven
    /// It is open at Stripe: its intent will be cancelled.
    case canceled
    /// It is not settled, or may still show: it will be looked up again.
    case lookedUp(found: Bool)
    /// It will be parked again.
    case parked(ParkReason)
    /// Stripe does not say.
    case unknown(String)

    /// One word, for programs.
    var word: String {
        switch self {
        case .result(let result): result.status.rawValue
        case .tried: "will_be_tried"
        case .proven: "will_be_proven_not_charged"
        case .canceled: "will_be_canceled"
        case .lookedUp: "will_be_looked_up"
        case .parked: "will_be_parked_again"
        case .unknown: "no_answer"
        }
    }

    /// A sentence, for people.
    var text: String {
        switch self {
        case .result(let result): Self.text(result)
        case .tried(again: false): "not found: Stripe has nothing of it; will be tried"
        case .tried(again: true):
            "not found: Stripe has nothing of it, though a search may be an hour late; will be tried again under its key"
        case .proven:
            "not found, and too late to be sent: ends as not_charged once it is proven that nothing can be made"
        case .canceled: "open at Stripe and not paid: its intent will be canceled, then not_charged"
        case .lookedUp(found: true): "at Stripe and not settled: will be looked up until it is"
        case .lookedUp(found: false): "not found, and may not be sent again: will be looked up until it is proven"
        case .parked(.absent): "not found a day after it may have been sent: will be parked again"
        case .parked(.doubled): "Stripe has two payments for it: refund one there, then discard this"
        case .parked(let reason): "will be parked again: \(reason.rawValue)"
        case .unknown(let why): "Stripe does not say: \(why)"
        }
    }

    private static func text(_ result: ChargeResult) -> String {
        let object = (result.stripe.paymentIntent ?? result.stripe.charge).map { " (\($0))" } ?? ""
        let code = result.failure.map { $0.declineCode ?? $0.code } ?? ""
        switch result.status {
        case .succeeded: return "was charged\(object), will only send its result"
        case .authorized: return "was authorized\(object), will only send its result"
        case .declined: return "declined\(object), no: \(code); will only send its result"
        case .requiresAction: return "declined\(object), the buyer must authenticate; will only send its result"
        case .notCharged: return "canceled at Stripe\(object): will only send its result, not_charged"
        case .rejected: return "will be rejected: \(result.failure?.message ?? code)"
        case .refused: return "will be refused: \(result.failure?.message ?? code)"
        case .unknown, .parked: return "will be \(result.status.rawValue)"
        }
    }

    /// Whether it is of use to take the charge back to work.
    var isOfUse: Bool {
        switch self {
        case .parked, .unknown: false
        default: true
        }
    }

    /// Whether Stripe could not be asked.
    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}
