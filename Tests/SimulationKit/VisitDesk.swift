import Charging

/// The four ports of one visit. Every call is a point at which the worker may die, freeze or lose its channel, before
/// it and after it.
final class VisitDesk: @unchecked Sendable {
    // Unchecked: a run is one thread.
    unowned(unsafe) let world: World
    let worker: SimulatedWorker
    let open: OpenDelivery
    let delivery: ChargeDelivery
    /// As far as the headers, the redelivery and this visit's own calls tell.
    private(set) var mayHaveBeenSent: Bool
    private(set) var isDead = false
    private(set) var acks = 0
    /// Sends of this visit.
    private(set) var sends = 0

    private var call = 0
    private var isCalling = false
    private var waiter: UnsafeContinuation<Void, Never>?
    private var word = PublishWord.lost
    private var served = SimulatedStripe.Served.dead

    init(world: World, worker: SimulatedWorker, open: OpenDelivery) {
        self.world = world
        self.worker = worker
        self.open = open
        delivery = open.delivery
        mayHaveBeenSent =
            delivery.redelivered || delivery.deliveryCount > 0 || delivery.headers.firstSent != nil
    }

    var id: ChargeID { world.plan[charge].id }
    var charge: Int { open.message.charge }
    var variant: Int { open.message.variant }
    /// When it was accepted, as its submitter said or the first worker stamped it, ms since 1970.
    var accepted: Int64? { open.message.accepted }

    // MARK: Waiting

    private func begin(calling: Bool = false) -> Int {
        call += 1
        isCalling = calling
        return call
    }

    private func pause() async {
        await withUnsafeContinuation { waiter = $0 }
    }

    /// What was waited for is there.
    func wake(_ call: Int) {
        guard !isDead, self.call == call, waiter != nil else { return }
        if worker.hold(self, call) { return }
        resume()
    }

    private func resume() {
        isCalling = false
        let ready = waiter
        waiter = nil
        ready?.resume()
    }

    /// The worker died. The visit runs to its end with nothing to show for it, so that no task is left behind.
    func die() {
        isDead = true
        resume()
    }

    /// The wall clock jumped: an open transfer is given up, and may have moved money.
    func cancelCall() {
        guard isCalling else { return }
        served = .cancelled
        call += 1
        resume()
    }

    /// A place where a worker may be struck. False: this one is dead.
    private func step() async -> Bool {
        if isDead { return false }
        world.strike(worker)
        if worker.isFrozen, !isDead {
            let call = begin()
            _ = worker.hold(self, call)
            await pause()
        }
        return !isDead
    }

    private func tell(_ what: Happening, detail: Int64 = 0, _ text: @autoclosure () -> String) {
        world.story.tell(world.now, worker: worker.number, charge: charge, what, detail: detail, text())
    }

    // MARK: Calls to Stripe

    private func request(
        _ what: @autoclosure () -> String, moves: Bool = false, _ serve: @escaping () -> SimulatedStripe.Served
    ) async -> SimulatedStripe.Served {
        served = .dead
        let started = world.now
        guard await step() else { return served }
        guard world.now - started <= 30_000 else { return .cancelled }
        tell(.called, what())
        if moves { world.audit.sent(self) }
        world.carry(self, begin(calling: true), serve)
        await pause()
        tell(.answered, detail: served.told, served.text)
        _ = await step()
        return served
    }

    /// The way back has brought this.
    func arrived(_ call: Int, _ served: SimulatedStripe.Served) {
        guard self.call == call, !isDead else { return }
        self.served = served
        wake(call)
    }
}

extension SimulatedStripe.Served {
    fileprivate var told: Int64 {
        switch outcome {
        case .answered(let answer): Int64(answer.status)
        case .notSent: 1
        case .noAnswer: 2
        case .notStripe: finding == nil ? 3 : 4
        }
    }

    fileprivate var text: String {
        if case .found(let objects) = finding {
            return objects.isEmpty
                ? "finds nothing" : "finds " + objects.map { "\($0.id) \($0.status)" }.joined(separator: ", ")
        }
        switch outcome {
        case .answered(let answer):
            let replayed = answer.replayed ? ", replayed" : ""
            switch answer.body {
            case .object(let object): return "gets \(answer.status)\(replayed): \(object.id) \(object.status)"
            case .error(let error): return "gets \(answer.status)\(replayed): \(error.type) \(error.code ?? "")"
            case .other(let name): return "gets \(answer.status)\(replayed): a \(name)"
            }
        case .notSent(let why): return "could not send: \(why.message)"
        case .noAnswer(let why): return "gets no answer: \(why)"
        case .notStripe(let what): return "gets something that is not Stripe's: \(what)"
        }
    }

    fileprivate var found: StripeFinding { finding ?? .failed(outcome) }
}

extension VisitDesk: StripePort {
    var isLive: Bool { false }

    func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome {
        let charge = charge
        let confirms = SentForm.confirms(form, flow)
        sends += 1
        let what: StaticString = confirms ? "sends it under" : "takes the"
        let served = await request("\(what) key \(id.text)", moves: confirms) { [world] in
            world.stripe.serveCharge(key: id.text, charge: charge, form: form, flow: flow)
        }
        if confirms, !served.outcome.isTurnedAway { mayHaveBeenSent = true }
        return served.outcome
    }

    func search(_ id: ChargeID, account: String?) async -> StripeFinding {
        let charge = charge
        return await request("searches for it") { [world] in world.stripe.serveSearch(id, charge: charge) }.found
    }

    func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding {
        let charge = charge
        return await request("lists what was made around its sends") { [world] in
            world.stripe.serveList(id, charge: charge, from: from, to: to)
        }.found
    }

    func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome {
        let charge = charge
        return await request("reads \(object.id)") { [world] in world.stripe.serveRetrieve(object, charge: charge) }
            .outcome
    }

    func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome {
        let charge = charge
        return await request("cancels \(paymentIntent)") { [world] in
            world.stripe.serveCancel(id, charge: charge, intent: paymentIntent)
        }.outcome
    }

    func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome {
        let charge = charge
        return await request("burns its token") { [world] in
            world.stripe.serveBurn(id, charge: charge, token: token.reveal())
        }.outcome
    }
}

extension VisitDesk: BrokerPort {
    func isOpen(_ delivery: ChargeDelivery) -> Bool {
        !isDead && worker.believed == delivery.handle.epoch
    }

    func publish(_ message: OutgoingMessage) async -> PublishWord {
        word = .lost
        guard await step() else { return .confirmed }
        tell(.published, detail: message.code, "publishes \(message.text)")
        world.carry(message, of: open, from: self, begin())
        await pause()
        guard !isDead, await step() else { return .confirmed }
        return word
    }

    /// The broker's word.
    func said(_ call: Int, _ word: PublishWord, settles: Bool) {
        guard self.call == call, !isDead else { return }
        self.word = word
        switch word {
        case .confirmed:
            if settles { open.isSafe = true }
            tell(.confirmed, "the broker confirms")
        case .refused: tell(.nacked, "the broker refuses")
        case .lost: tell(.wordLost, "the broker says nothing")
        }
        wake(call)
    }

    func ack(_ delivery: ChargeDelivery) {
        guard !isDead else { return }
        acks += 1
        world.broker.ack(delivery.handle, worker: worker.number, charge: charge)
    }
}

extension VisitDesk {
    /// For a mutation: acks what the channel brought before, too.
    func ackBefore(_ delivery: ChargeDelivery) {
        for open in world.broker.channel(delivery.handle.epoch)?.open ?? [] where open.tag < delivery.handle.tag {
            world.broker.ack(open.handle, worker: worker.number, charge: open.message.charge)
        }
    }
}

extension VisitDesk: ClockPort {
    func now() -> Int64 { worker.clock }

    func chance() -> Double { world.random.fraction() }

    func sleep(milliseconds: Int64) async {
        guard await step() else { return }
        let call = begin()
        world.clock.after(milliseconds) { [weak self] in self?.wake(call) }
        await pause()
        _ = await step()
    }
}

extension VisitDesk: TrafficPort {
    func turn(_ use: StripeUse, lane: String) async -> Turn {
        guard await step() else { return .stop }
        if worker.isStopped { return .stop }
        if world.random.happens(0.1) {
            // The rate's next slot.
            let call = begin()
            world.clock.after(world.random.between(1, 2000)) { [weak self] in self?.wake(call) }
            await pause()
            guard await step() else { return .stop }
        }
        return worker.isStopped ? .stop : .go
    }

    func saw(_ signal: TrafficSignal) {
        if !isDead { worker.saw(signal) }
    }
}

extension StripeOutcome {
    /// Whether a visit may take it for certain that nothing was executed.
    fileprivate var isTurnedAway: Bool {
        switch self {
        case .notSent: return true
        case .answered(let answer):
            guard case .error(let error) = answer.body else { return false }
            return answer.status == 401 || (answer.status == 429 && error.code != "lock_timeout")
        case .noAnswer, .notStripe: return false
        }
    }
}

extension OutgoingMessage {
    /// Whether it takes its delivery's place: the delivery may be acked once it is confirmed.
    var settles: Bool {
        if case .result(let result, _) = self { return result.status != .unknown && result.status != .parked }
        return true
    }

    var code: Int64 {
        switch self {
        case .result(let result, _): Int64(result.sequence)
        case .wait(let tier, _, _): tier.milliseconds
        case .again: 101
        case .park: 102
        }
    }

    var text: String {
        switch self {
        case .result(let result, _): "the result \(result.event)" + (result.failure.map { " (\($0.code))" } ?? "")
        case .wait(let tier, _, let headers):
            "it to the wait of \(tier.name), phase \(headers.phase.rawValue), attempts \(headers.attempts), "
                + "lookups \(headers.lookups)" + (headers.firstSent == nil ? ", never sent" : "")
        case .again: "it again, stamped"
        case .park(let reason, _, _, _): "it to the parked queue: \(reason.rawValue)"
        }
    }
}
