/// The faults in force, and which request each hits.
struct FaultPlan {
    /// The point on a request's way at which a kind of fault strikes.
    enum Stage {
        /// The key is looked at.
        case door
        /// The rate is looked at.
        case limiter
        /// Between the network and Stripe's executor.
        case gate
        /// The idempotency key and the objects are locked.
        case lock
        /// Execution begins.
        case execution
        /// The answer leaves.
        case answer
    }

    /// What a request is matched by; the texts that cost something are worked out only when a fault asks.
    struct Subject {
        let method: String
        let path: String
        /// Makes or moves a payment.
        let isPayment: Bool
        /// Tells requests apart for the draw: the idempotency key, or the call itself.
        let name: String
        let token: String?
        let chargeID: () -> String?
    }

    private struct Active {
        let fault: Fault
        var left: Int?
        var hits = 0
        /// How often each subject came by: the try is part of the draw.
        var seen: [String: UInt64] = [:]
    }

    private let seed: UInt64
    private var active: [Active] = []

    init(_ faults: [Fault], seed: UInt64) {
        self.seed = seed
        active = faults.map { Active(fault: $0, left: $0.times) }
    }

    var isEmpty: Bool { active.isEmpty }
    var faults: [Fault] { active.map(\.fault) }
    /// What is in force, with how often each has hit and how often it still will.
    var standing: [(fault: Fault, hits: Int, left: Int?)] { active.map { ($0.fault, $0.hits, $0.left) } }

    /// The fault that strikes here, if any; it counts as a hit.
    mutating func strike(_ stage: Stage, _ subject: Subject) -> Fault? {
        for index in active.indices where active[index].fault.kind.stage == stage {
            guard active[index].left != 0, fits(active[index].fault, subject), draws(index, subject) else { continue }
            active[index].hits += 1
            if let left = active[index].left { active[index].left = left - 1 }
            return active[index].fault
        }
        return nil
    }

    private func fits(_ fault: Fault, _ subject: Subject) -> Bool {
        let match = fault.match ?? Fault.Match()
        // A buyer's device makes tokens; what is tested is who charges them.
        if match.path == nil {
            guard fault.kind.hitsEveryCall ? subject.path != "/v1/tokens" : subject.isPayment else { return false }
        }
        return fits(match.method, subject.method) && fits(match.path, subject.path) && fits(match.token, subject.token)
            && (match.chargeID == nil || fits(match.chargeID, subject.chargeID()))
    }

    private func fits(_ wanted: String?, _ found: String?) -> Bool {
        guard let wanted else { return true }
        guard let found else { return false }
        return wanted.hasSuffix("*") ? found.hasPrefix(wanted.dropLast()) : found == wanted
    }

    /// The same seed, faults and tries give the same draws, in whatever order requests arrive.
    private mutating func draws(_ index: Int, _ subject: Subject) -> Bool {
        guard let rate = active[index].fault.rate else { return true }
        let seen = active[index].seen[subject.name, default: 0]
        active[index].seen[subject.name] = seen + 1
        var hash = Chance.hash(subject.name)
        hash = ObjectID.mix(hash ^ seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
        hash = ObjectID.mix(hash &+ seen &* 0xD1B5_4A32_D192_ED03)
        return Double(hash >> 11) / Double(1 << 53) < rate
    }
}

extension Fault.Kind {
    var stage: FaultPlan.Stage {
        switch self {
        case .status401: .door
        case .status429: .limiter
        case .status500, .status503, .html502, .resetBeforeEffect, .hangBeforeEffect, .lateExecution: .gate
        case .lockTimeout, .status409: .lock
        case .status500Stored, .status500StoredAfterEffect: .execution
        case .resetAfterEffect, .hangAfterEffect, .garbage, .truncated, .slow: .answer
        }
    }

    /// Whether it hits any call unless told otherwise, or only those that make or move a payment.
    var hitsEveryCall: Bool {
        switch self {
        case .status401, .status429, .status500, .status503, .html502, .garbage, .truncated, .slow: true
        default: false
        }
    }
}
