/// Stops a worker from calling a Stripe that does not answer, and lets it come back: one read, one charge, then more
/// and more.
///
/// Pure: it is told of outcomes and asked how many charges may be in flight.
struct Breaker {
    /// Where it stands.
    enum State: Equatable {
        /// Everything may go.
        case closed
        /// Nothing may go but a probe, for this reason.
        case open(Reason)
        /// A probe was answered: one charge may go.
        case trial
        /// That one was answered: this many may be in flight.
        case ramp(Int)
    }

    /// Why it opened.
    enum Reason: Equatable {
        /// Stripe fails or does not answer.
        case failing
        /// Nothing leaves this machine.
        case unreachable
        /// Something other than Stripe answers.
        case notStripe
        /// A key, a setting or a certificate; the text names it.
        case operatorNeeded(String)
    }

    private(set) var state = State.closed
    /// The latest outcomes, failures being true; a ring.
    private var recent: [Bool] = []
    private var next = 0
    private var notSentInARow = 0
    private var notStripeInARow = 0
    private var rejectedInARow = 0
    private var lastRejection = ""

    private static let window = 32
    private static let leastFailures = 8
    private static let notSentLimit = 3
    private static let notStripeLimit = 10
    private static let rejectedLimit = 20

    /// How many charges may be in flight, of `slots`.
    func allowance(of slots: Int) -> Int {
        switch state {
        case .closed: slots
        case .open: 0
        case .trial: 1
        case .ramp(let width): min(width, slots)
        }
    }

    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    // MARK: Outcomes of calls

    mutating func answered(slots: Int) {
        notSentInARow = 0
        notStripeInARow = 0
        note(failed: false)
        switch state {
        case .trial: state = .ramp(2)
        case .ramp(let width): state = width >= slots ? .closed : .ramp(width + max(1, width / 4))
        case .closed, .open: break
        }
    }

    mutating func accepted() {
        rejectedInARow = 0
    }

    mutating func failing() {
        notSentInARow = 0
        note(failed: true)
        let failures = recent.reduce(0) { $0 + ($1 ? 1 : 0) }
        let trips = failures >= Self.leastFailures && failures * 2 >= recent.count
        if trips || state == .trial { open(.failing) }
    }

    mutating func notSent() {
        notSentInARow += 1
        if notSentInARow >= Self.notSentLimit || state == .trial { open(.unreachable) }
    }

    mutating func notStripe() {
        notStripeInARow += 1
        failing()
        if notStripeInARow >= Self.notStripeLimit { open(.notStripe) }
    }

    /// - Returns: whether this many equal rejections in a row point to a setting of ours.
    mutating func rejected(_ what: String) -> Bool {
        rejectedInARow = what == lastRejection ? rejectedInARow + 1 : 1
        lastRejection = what
        return rejectedInARow >= Self.rejectedLimit
    }

    mutating func operatorNeeded(_ what: String) {
        open(.operatorNeeded(what))
    }

    /// Milliseconds before the next probe: a second, doubling to ten. One that was asked for at once had no pause.
    static func probePause(after pause: Int64) -> Int64 { min(10_000, max(1000, pause * 2)) }

    /// The probe, a plain read, was answered.
    mutating func probeAnswered() {
        guard isOpen else { return }
        recent.removeAll()
        next = 0
        notSentInARow = 0
        notStripeInARow = 0
        rejectedInARow = 0
        state = .trial
    }

    private mutating func open(_ reason: Reason) {
        // A reason that a person must mend is not hidden by a later one.
        if case .open(.operatorNeeded) = state { return }
        state = .open(reason)
    }

    private mutating func note(failed: Bool) {
        if recent.count < Self.window { recent.append(failed) } else { recent[next] = failed }
        next = (next + 1) % Self.window
    }
}

extension Breaker.Reason {
    /// For the log and `/readyz`.
    var text: String {
        switch self {
        case .failing: "Stripe fails or does not answer"
        case .unreachable: "Stripe cannot be reached from this machine: see STRIPE_API_BASE, DNS and the network"
        case .notStripe: "what answers at STRIPE_API_BASE is not Stripe: see a proxy between"
        case .operatorNeeded(let what): what
        }
    }
}
