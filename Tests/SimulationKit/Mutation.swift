import Charging

/// A fault built into the life of a charge from outside: what a visit is given, what its calls do, what it hears of
/// them. The decisions themselves stay as they are, so a fault that none of these can express is not tried.
public struct Mutation: Sendable {
    /// What is wrong, in a few words.
    public let name: String

    /// The calls to Stripe that answer with an outcome.
    enum Call: Sendable {
        case charge, claim, retrieve, cancel, burn
    }

    /// The key that a charge is sent under.
    var key: (@Sendable (ChargeID, VisitDesk) -> ChargeID)?
    /// An answer without a call.
    var instead: (@Sendable (Call, ChargeID) -> StripeOutcome?)?
    /// What a call's outcome is taken for.
    var outcome: (@Sendable (Call, StripeOutcome) -> StripeOutcome)?
    /// What a search or list is taken to have found.
    var finding: (@Sendable (StripeFinding) -> StripeFinding)?
    /// What is published in place of a message; nil: nothing, and that is taken for confirmed.
    var outgoing: (@Sendable (OutgoingMessage, VisitDesk) -> OutgoingMessage?)?
    /// What the broker's word is taken for.
    var word: (@Sendable (PublishWord) -> PublishWord)?
    /// Acks before each publish.
    var acksFirst = false
    /// Acks all that came before, too.
    var acksThrough = false
    /// Acks twice.
    var acksTwice = false
    /// The time of a visit's first look at the clock is taken for the time of all.
    var stopsClock = false
    /// What a visit is given.
    var delivery: (@Sendable (inout ChargeDelivery) -> Void)?
    /// What a worker is told.
    var settings: (@Sendable (inout VisitSettings) -> Void)?
    /// Weather in which the fault matters.
    var weather: (@Sendable (inout Weather) -> Void)?

    init(_ name: String, _ build: (inout Mutation) -> Void) {
        self.name = name
        build(&self)
    }
}

/// The ports of a visit, with the fault between them and the world.
final class MutatedDesk {
    private let desk: VisitDesk
    private let mutation: Mutation
    private var firstLook: Int64?

    init(_ desk: VisitDesk, _ mutation: Mutation) {
        self.desk = desk
        self.mutation = mutation
    }

    private func answer(
        _ call: Mutation.Call, _ id: ChargeID, _ ask: () async -> StripeOutcome
    ) async -> StripeOutcome {
        if let instead = mutation.instead?(call, id) { return instead }
        let outcome = await ask()
        return mutation.outcome?(call, outcome) ?? outcome
    }
}

extension MutatedDesk: StripePort {
    var isLive: Bool { desk.isLive }

    func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome {
        let key = mutation.key?(id, desk) ?? id
        return await answer(SentForm.confirms(form, flow) ? .charge : .claim, id) {
            await desk.charge(key, form: form, flow: flow, account: account)
        }
    }

    func search(_ id: ChargeID, account: String?) async -> StripeFinding {
        let finding = await desk.search(id, account: account)
        return mutation.finding?(finding) ?? finding
    }

    func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding {
        let finding = await desk.list(id, from: from, to: to, account: account)
        return mutation.finding?(finding) ?? finding
    }

    func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome {
        await answer(.retrieve, desk.id) { await desk.retrieve(object, account: account) }
    }

    func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome {
        await answer(.cancel, id) { await desk.cancel(id, paymentIntent: paymentIntent, account: account) }
    }

    func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome {
        await answer(.burn, id) { await desk.burn(id, token: token, account: account) }
    }
}

extension MutatedDesk: BrokerPort {
    func isOpen(_ delivery: ChargeDelivery) -> Bool { desk.isOpen(delivery) }

    func publish(_ message: OutgoingMessage) async -> PublishWord {
        if mutation.acksFirst { desk.ack(desk.delivery) }
        let changed = mutation.outgoing.map { $0(message, desk) } ?? message
        guard let changed else { return .confirmed }
        let word = await desk.publish(changed)
        return mutation.word?(word) ?? word
    }

    func ack(_ delivery: ChargeDelivery) {
        if mutation.acksFirst { return }
        if mutation.acksThrough { desk.ackBefore(delivery) }
        desk.ack(delivery)
        if mutation.acksTwice { desk.ack(delivery) }
    }
}

extension MutatedDesk: ClockPort {
    func now() -> Int64 {
        guard mutation.stopsClock else { return desk.now() }
        let now = firstLook ?? desk.now()
        firstLook = now
        return now
    }

    func sleep(milliseconds: Int64) async { await desk.sleep(milliseconds: milliseconds) }

    func chance() -> Double { desk.chance() }
}
