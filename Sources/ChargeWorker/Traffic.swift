internal import Charging
internal import EventLoop

/// Who may call Stripe now: the rate, the breaker, the drain, and the broker's willingness to take results.
final class Traffic: TrafficPort {
    private(set) var breaker = Breaker()
    private(set) var isDraining = false
    /// Called when the allowance may have changed; `stops` says that what is held must be given back.
    var onChange: ((_ stops: Bool) -> Void)?
    /// Called when many equal rejections in a row point to a setting of ours.
    var onSuspiciousRejections: ((String) -> Void)?

    private let turns: TurnQueue
    private let slots: Int
    private var refusedSince: Int64?
    /// The broker has taken no result for this long: nobody would learn of more charges. Nanoseconds.
    private static let patience: Int64 = 30_000_000_000

    init(loop: Loop, perSecond: Double, slots: Int) {
        turns = TurnQueue(loop: loop, perSecond: perSecond)
        self.slots = slots
    }

    /// Charges that may be in flight now.
    var allowance: Int { isDraining || areResultsRefused ? 0 : breaker.allowance(of: slots) }
    /// Requests a second now; 0 without a limit.
    var perSecond: Double { turns.perSecond }
    /// Whether the broker has refused results for so long that no charge is started.
    var areResultsRefused: Bool { refusedSince.map { LoopClock.monotonic() - $0 > Self.patience } ?? false }

    func turn(_ use: StripeUse, lane: String) async -> Turn {
        isDraining || breaker.isOpen ? .stop : await turns.wait(use, lane: lane)
    }

    func saw(_ signal: TrafficSignal) {
        let before = breaker.state
        switch signal {
        case .answered:
            breaker.accepted()
            breaker.answered(slots: slots)
        case .limited:
            turns.limited()
            breaker.answered(slots: slots)
        case .failing: breaker.failing()
        case .notStripe: breaker.notStripe()
        case .notSent: breaker.notSent()
        case .operatorNeeded(let what): onSuspiciousRejections?(what)
        case .rejected(let what):
            breaker.answered(slots: slots)
            if breaker.rejected(what) { onSuspiciousRejections?("Stripe rejects many charges alike: \(what)") }
        case .resultRefused: refusedSince = refusedSince ?? LoopClock.monotonic()
        case .resultStored:
            if refusedSince != nil { onChange?(false) }
            refusedSince = nil
        }
        changed(from: before)
    }

    /// A plain read was answered while the breaker was open.
    func probeAnswered() {
        let before = breaker.state
        breaker.probeAnswered()
        changed(from: before)
    }

    /// A plain read failed as the charges did: a person must mend it.
    func stopForOperator(_ what: String) {
        let before = breaker.state
        breaker.operatorNeeded(what)
        changed(from: before)
    }

    /// TERM: no more calls; what waits for a turn is given back.
    func drain() {
        isDraining = true
        turns.stopAll()
        onChange?(true)
    }

    private func changed(from before: Breaker.State) {
        guard breaker.state != before else { return }
        if breaker.isOpen { turns.stopAll() }
        onChange?(breaker.isOpen)
    }
}
