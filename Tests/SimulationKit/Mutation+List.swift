import Charging

extension Mutation {
    /// Faults that the audit must find.
    public static let all: [Mutation] = acknowledging + sending + judging + proving + remembering

    private static let acknowledging: [Mutation] = [
        Mutation("acks before the confirm") { $0.acksFirst = true },
        Mutation("acks past a gap") { $0.acksThrough = true },
        Mutation("acks twice") { $0.acksTwice = true },
        Mutation("a nack is taken for a confirm") { $0.word = { $0 == .refused ? .confirmed : $0 } },
        Mutation("silence is taken for a confirm") { $0.word = { $0 == .lost ? .confirmed : $0 } },
        Mutation("a result is not published") {
            $0.outgoing = { message, _ in if case .result = message { nil } else { message } }
        },
        Mutation("unknown is the end") {
            $0.outgoing = { message, _ in
                if case .wait(_, _, let headers) = message, headers.phase == .lookup { nil } else { message }
            }
        },
    ]

    private static let sending: [Mutation] = [
        Mutation("the key is made from the attempt") {
            $0.key = { id, desk in
                (try? ChargeID(validating: "\(id.text).\(desk.open.tag).\(desk.sends)")) ?? id
            }
        },
        Mutation("the key is made from the delivery") {
            $0.key = { id, desk in (try? ChargeID(validating: "\(id.text).\(desk.open.tag)")) ?? id }
        },
        Mutation("no age ends the sending") {
            $0.settings = {
                $0.rules.retryFor = 1000 * Weather.hour
                $0.rules.lastPostAge = 1000 * Weather.hour
            }
            $0.weather = { $0.workersStart = 26 * Weather.hour }
        },
        Mutation("an aged charge is not searched for") {
            $0.settings = { $0.rules.searchAge = 1000 * Weather.hour }
            $0.weather = {
                $0.duplicates = 0.5
                $0.slow = 0.5
                ($0.workers, $0.slots) = (1, 1)
                $0.weekend = true
            }
        },
        Mutation("the time is taken before the wait") {
            $0.stopsClock = true
            $0.weather = {
                $0.freeze = 0.02
                $0.freezesLong = true
                $0.expiring = 0.8
            }
        },
        Mutation("not_after is not looked at") { mutation in
            mutation.delivery = { delivery in
                guard var request = try? ChargeRequest(json: delivery.body, flow: .paymentIntents) else { return }
                request.notAfter = nil
                delivery.body = request.json()
            }
            mutation.settings = { $0.notAfter = [:] }
            mutation.weather = {
                $0.workersStart = 2 * Weather.hour
                $0.expiring = 0.8
            }
        },
    ]

    private static let judging: [Mutation] = [
        Mutation("a 5xx is a decline") {
            $0.outcome = { call, outcome in
                if call == .charge, case .answered(let answer) = outcome, answer.status >= 500 {
                    declined
                } else {
                    outcome
                }
            }
        },
        Mutation("a timeout is a decline") {
            $0.outcome = { call, outcome in
                if call == .charge, case .noAnswer = outcome { declined } else { outcome }
            }
        },
        Mutation("something that is not Stripe's is a decline") {
            $0.outcome = { call, outcome in
                if call == .charge, case .notStripe = outcome { declined } else { outcome }
            }
        },
        Mutation("unknown is said as declined") {
            $0.outgoing = { message, _ in
                guard case .result(var result, let delivery) = message, result.status == .unknown else {
                    return message
                }
                result.status = .declined
                result.event = "\(result.id.text).declined"
                return .result(result, for: delivery)
            }
        },
        Mutation("a limit is a decline") {
            $0.outcome = { call, outcome in call == .charge && outcome.code == "rate_limit" ? declined : outcome }
        },
        Mutation("a key in use is a decline") {
            $0.outcome = { call, outcome in
                call == .charge && outcome.code == "idempotency_key_in_use" ? declined : outcome
            }
        },
        Mutation("a spent token is a decline") {
            $0.outcome = { call, outcome in call == .charge && outcome.code == "token_already_used" ? declined : outcome
            }
        },
        Mutation("what is pending has succeeded") {
            $0.outcome = { _, outcome in
                guard case .answered(var answer) = outcome, case .object(var object) = answer.body else {
                    return outcome
                }
                if object.status == "processing" || object.status == "pending" { object.status = "succeeded" }
                answer.body = .object(object)
                return .answered(answer)
            }
        },
        Mutation("another body's payment is taken for its own") {
            $0.finding = { finding in
                guard case .found(var objects) = finding else { return finding }
                for index in objects.indices { objects[index].chargelinePrint = nil }
                return .found(objects)
            }
        },
    ]

    private static let declined = StripeOutcome.answered(
        StripeAnswer(
            status: 402, requestID: "req_0", body: .error(StripeError(type: "card_error", code: "card_declined"))))

    private static let proving: [Mutation] = [
        Mutation("an empty search proves that it was not charged") {
            $0.instead = { call, id in
                switch call {
                case .claim: return canceled(id, "requires_payment_method")
                case .cancel: return canceled(id, "canceled")
                case .burn: return burnt
                case .charge, .retrieve: return nil
                }
            }
        },
        Mutation("a token counts as burnt, and the key as taken, that Stripe did not give") {
            $0.outcome = { call, outcome in
                switch call {
                case .burn: burnt
                case .claim where outcome.errorType == "idempotency_error": canceledAny
                default: outcome
                }
            }
            $0.weather = {
                $0.duplicates = 0.5
                $0.expiring = 0.8
            }
        },
        Mutation("nothing is ever found") { $0.finding = { _ in .found([]) } },
        Mutation("an open intent is left open") {
            $0.instead = { call, id in call == .cancel ? canceled(id, "canceled") : nil }
        },
    ]

    private static let burnt = StripeOutcome.answered(
        StripeAnswer(status: 200, requestID: "req_0", body: .other("payment_method")))
    private static let canceledAny = StripeOutcome.noAnswer("")

    private static func canceled(_ id: ChargeID, _ status: String) -> StripeOutcome {
        var object = StripeObject(kind: .paymentIntent, id: "pi_0", status: status, amount: 1, currency: "usd")
        object.chargelineID = id.text
        return .answered(StripeAnswer(status: 200, requestID: "req_0", body: .object(object)))
    }

    private static let remembering: [Mutation] = [
        Mutation("the redelivered flag is lost") {
            $0.delivery = {
                $0.redelivered = false
                $0.deliveryCount = 0
            }
            $0.weather = {
                $0.crash = 0.05
                $0.fickle = 0.5
                $0.searchLag = 59 * Weather.minute
            }
        },
        Mutation("a republish forgets that it was sent") {
            $0.outgoing = { message, _ in
                message.changing {
                    $0.firstSent = nil
                    $0.lastSent = nil
                }
            }
            $0.weather = {
                $0.resetAfter = 0.4
                $0.fickle = 0.5
                $0.searchLag = 59 * Weather.minute
            }
        },
        Mutation("the phase is forgotten, and the key taken") {
            $0.delivery = {
                $0.headers.phase = .charge
                $0.headers.keyTaken = nil
            }
        },
        Mutation("a republish forgets everything") {
            $0.outgoing = { message, _ in message.changing { $0 = ChargeHeaders(accepted: $0.accepted) } }
        },
        Mutation("a republish counts as accepted anew") {
            $0.outgoing = { message, desk in message.changing { $0.accepted = desk.now() } }
            $0.weather = {
                $0.weekend = true
                $0.resetAfter = 0.4
                $0.failures = 0.4
            }
        },
        Mutation("an event's id is a number") {
            $0.outgoing = { message, desk in
                guard case .result(var result, let delivery) = message else { return message }
                result.event = "event-\(desk.open.tag)"
                return .result(result, for: delivery)
            }
        },
        Mutation("a result of another charge") {
            $0.outgoing = { message, desk in
                guard case .result(var result, let delivery) = message, desk.charge % 7 == 3 else { return message }
                result.status = result.status == .declined ? .succeeded : result.status
                return .result(result, for: delivery)
            }
        },
    ]
}

extension StripeOutcome {
    fileprivate var code: String? { error?.code }
    fileprivate var errorType: String? { error?.type }

    private var error: StripeError? {
        if case .answered(let answer) = self, case .error(let error) = answer.body { error } else { nil }
    }
}

extension OutgoingMessage {
    /// The message with other headers, if it is a republish.
    fileprivate func changing(_ change: (inout ChargeHeaders) -> Void) -> OutgoingMessage {
        switch self {
        case .wait(let tier, let delivery, var headers):
            change(&headers)
            return .wait(tier, delivery, headers)
        case .again(let delivery, var headers):
            change(&headers)
            return .again(delivery, headers)
        case .result, .park: return self
        }
    }
}
