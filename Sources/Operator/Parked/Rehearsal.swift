internal import Charging
internal import EventLoop
internal import StripeClient

/// A worker's visit of a charge that changes nothing: Stripe is read and never written to, the broker's part is only
/// noted. So what is foretold is decided by the very code that will decide it. Lives on the loop.
final class Rehearsal {
    /// The first thing that the visit would have written at Stripe.
    enum Wish: Equatable {
        /// The charge itself.
        case charge
        /// A proof that it can never be charged: its key, or its token, spent on nothing.
        case proof
        /// The end of an intent that is open.
        case cancel
    }

    private let gateway: StripeGateway
    private let loop: Loop
    private let hint: StripeFinding?
    /// What the visit published, in order.
    private(set) var published: [OutgoingMessage] = []
    private(set) var wish: Wish?
    /// What the search found; nil where there was none.
    private(set) var finding: StripeFinding?
    /// Why Stripe did not say what it has.
    private(set) var failure: StripeOutcome?

    /// - Parameter hint: what a search found just now.
    init(gateway: StripeGateway, loop: Loop, hint: StripeFinding? = nil) {
        self.gateway = gateway
        self.loop = loop
        self.hint = hint
    }

    /// Nothing that a person waits for may take longer.
    private static let patience: [Int64] = [1_000_000_000, 2_000_000_000, 4_000_000_000]

    private func want(_ wish: Wish) -> StripeOutcome {
        self.wish = self.wish ?? wish
        return .noAnswer("nothing is sent")
    }

    /// Reads again where Stripe only says that it is asked too often.
    private func patiently(_ read: () async -> StripeFinding) async -> StripeFinding {
        for pause in Self.patience {
            let finding = await read()
            guard case .failed(.answered(let answer)) = finding, answer.status == 429 else { return finding }
            await loop.sleep(nanoseconds: pause)
        }
        return await read()
    }
}

extension Rehearsal: StripePort {
    var isLive: Bool { gateway.isLive }

    func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome {
        // An intent that is not confirmed moves no money: it takes the key, so that nothing else can.
        let moves = flow == .charges || String(decoding: form, as: UTF8.self).contains("confirm=true")
        return want(moves ? .charge : .proof)
    }

    func search(_ id: ChargeID, account: String?) async -> StripeFinding {
        let found: StripeFinding
        if let known = finding ?? hint {
            found = known
        } else {
            found = await patiently { await gateway.search(id, account: account) }
        }
        finding = found
        if case .failed(let outcome) = found { failure = outcome }
        return found
    }

    /// Reading what was made in hours of a busy account is for the worker, not for a look.
    func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding { .found([]) }

    func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome {
        let outcome = await gateway.retrieve(object, account: account)
        if case .answered(let answer) = outcome, case .object = answer.body { return outcome }
        failure = outcome
        return outcome
    }

    func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome { want(.cancel) }

    func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome { want(.proof) }
}

extension Rehearsal: BrokerPort, ClockPort, TrafficPort {
    func isOpen(_ delivery: ChargeDelivery) -> Bool { true }

    func publish(_ message: OutgoingMessage) async -> PublishWord {
        published.append(message)
        return .confirmed
    }

    func ack(_ delivery: ChargeDelivery) {}

    func now() -> Int64 { LoopClock.wall() }

    func sleep(milliseconds: Int64) async {}

    func chance() -> Double { 0.5 }

    func turn(_ use: StripeUse, lane: String) async -> Turn { wish == nil ? .go : .stop }

    func saw(_ signal: TrafficSignal) {}
}
