/// Every try to move money, in order, and who was charged how often.
final class Ledger {
    /// One try.
    enum Line: Sendable {
        case charge(Int)
        case attempt(Kept<Attempt>)
    }

    /// A try that ended before a charge was made: the buyer would have had to authenticate.
    struct Attempt: Sendable {
        let intent: Int
        let purchase: Kept<Purchase>
        let status: String
        let code: String?
        let idempotencyKey: String?
        let created: Int64
    }

    /// What carries a chargeline id.
    struct Track {
        var charges: [Int] = []
        var intents: [Int] = []
    }

    private(set) var lines: [Line] = []
    /// Charges that moved or reserved money and were not let go.
    private(set) var charged = 0
    /// The same by chargeline id.
    private var moved: [String: Int] = [:]
    /// Ids charged more than once.
    private(set) var doubled: Set<String> = []
    /// By chargeline id in small letters, as Stripe's search compares.
    private var tracks: [String: Track] = [:]

    var chargedIDs: Int { moved.count }

    func add(_ charge: Charge) {
        lines.append(.charge(charge.number))
        if let id = charge.purchase.value.chargeID {
            tracks[id.lowercased(), default: Track()].charges.append(charge.number)
        }
        if charge.movesMoney { count(charge, +1) }
    }

    func add(_ attempt: Attempt) {
        lines.append(.attempt(Kept(attempt)))
    }

    func made(_ intent: Intent) {
        if let id = intent.purchase.value.chargeID {
            tracks[id.lowercased(), default: Track()].intents.append(intent.number)
        }
    }

    /// An authorization was let go.
    func released(_ charge: Charge) {
        count(charge, -1)
    }

    func track(chargeID: String) -> Track? {
        tracks[chargeID.lowercased()]
    }

    func times(charged id: String) -> Int { moved[id, default: 0] }

    private func count(_ charge: Charge, _ change: Int) {
        charged += change
        guard let id = charge.purchase.value.chargeID else { return }
        let times = moved[id, default: 0] + change
        moved[id] = times == 0 ? nil : times
        if times > 1 { doubled.insert(id) } else { doubled.remove(id) }
    }
}
