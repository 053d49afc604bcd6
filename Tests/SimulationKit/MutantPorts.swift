import Charging

/// Stripe's port with one thing wrong.
final class MutantStripe: StripePort {
    private let desk: VisitDesk
    private let wrong: Wrong
    private var calls = 0

    /// What is wrong.
    enum Wrong: Sendable {
        /// The key is made from the id and the attempt.
        case keyFromAttempt
        /// Such an outcome of a send is read as a decline.
        case readsAsDecline(@Sendable (StripeOutcome) -> Bool)
        /// A search finds nothing.
        case searchesBlindly
        /// A token is called burnt without asking.
        case neverBurns
        /// An intent is called cancelled without asking.
        case neverCancels
    }

    init(_ desk: VisitDesk, _ wrong: Wrong) {
        self.desk = desk
        self.wrong = wrong
    }

    var isLive: Bool { desk.isLive }

    func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome {
        calls += 1
        var id = id
        if case .keyFromAttempt = wrong { id = (try? ChargeID(validating: "\(id.text).\(calls)")) ?? id }
        let outcome = await desk.charge(id, form: form, flow: flow, account: account)
        guard case .readsAsDecline(let fits) = wrong, fits(outcome) else { return outcome }
        let error = StripeError(type: "card_error", code: "card_declined")
        return .answered(StripeAnswer(status: 402, requestID: "req_mutant", body: .error(error)))
    }

    func search(_ id: ChargeID, account: String?) async -> StripeFinding {
        let found = await desk.search(id, account: account)
        if case .searchesBlindly = wrong { return .found([]) }
        return found
    }

    func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding {
        let found = await desk.list(id, from: from, to: to, account: account)
        if case .searchesBlindly = wrong { return .found([]) }
        return found
    }

    func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome {
        await desk.retrieve(object, account: account)
    }

    func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome {
        guard case .neverCancels = wrong else {
            return await desk.cancel(id, paymentIntent: paymentIntent, account: account)
        }
        var object = StripeObject(
            kind: .paymentIntent, id: paymentIntent, status: "canceled", amount: 1, currency: "usd")
        object.chargelineID = id.text
        return .answered(StripeAnswer(status: 200, requestID: "req_mutant", body: .object(object)))
    }

    func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome {
        guard case .neverBurns = wrong else { return await desk.burn(id, token: token, account: account) }
        return .answered(StripeAnswer(status: 200, requestID: "req_mutant", body: .other("payment_method")))
    }
}

/// The broker's port with one thing wrong.
final class MutantBroker: BrokerPort {
    private let desk: VisitDesk
    private let wrong: Wrong

    /// What is wrong.
    enum Wrong: Sendable {
        /// The delivery is acked before its successor is confirmed.
        case acksFirst
        /// A publish that was refused or got no word counts as confirmed.
        case trustsEveryPublish
        /// Results are not published at all.
        case keepsResults
        /// What earlier visits learned is left out of a republish.
        case forgetsHeaders
        /// `unknown` is said as a decline.
        case saysUnknownAsDeclined
        /// A result's status is turned about: declined for succeeded.
        case saysTheOpposite
    }

    init(_ desk: VisitDesk, _ wrong: Wrong) {
        self.desk = desk
        self.wrong = wrong
    }

    func isOpen(_ delivery: ChargeDelivery) -> Bool { desk.isOpen(delivery) }

    func ack(_ delivery: ChargeDelivery) { desk.ack(delivery) }

    func publish(_ message: OutgoingMessage) async -> PublishWord {
        switch (wrong, message) {
        case (.acksFirst, _):
            desk.ack(desk.delivery)
            return await desk.publish(message)
        case (.trustsEveryPublish, _):
            _ = await desk.publish(message)
            return .confirmed
        case (.keepsResults, .result):
            return .confirmed
        case (.forgetsHeaders, .wait(let tier, let delivery, let headers)):
            return await desk.publish(.wait(tier, delivery, ChargeHeaders(accepted: headers.accepted)))
        case (.saysUnknownAsDeclined, .result(let result, let delivery)) where result.status == .unknown:
            return await desk.publish(.result(changed(result, to: .declined), for: delivery))
        case (.saysTheOpposite, .result(let result, let delivery)) where result.status == .succeeded:
            return await desk.publish(.result(changed(result, to: .declined), for: delivery))
        default:
            return await desk.publish(message)
        }
    }

    private func changed(_ result: ChargeResult, to status: ChargeStatus) -> ChargeResult {
        ChargeResult(
            id: result.id, status: status, lane: result.lane, correlationID: result.correlationID,
            attempts: result.attempts, acceptedAt: result.acceptedAt, completedAt: result.completedAt)
    }
}

/// A clock that stands still at the charge's acceptance: nothing ever gets old.
final class StoppedClock: ClockPort {
    private let desk: VisitDesk

    init(_ desk: VisitDesk) {
        self.desk = desk
    }

    func now() -> Int64 { desk.accepted ?? desk.now() }

    func sleep(milliseconds: Int64) async { await desk.sleep(milliseconds: milliseconds) }

    func chance() -> Double { desk.chance() }
}
