/// The age rules: whether a charge may be sent, decided on the wall clock as the last thing before it leaves.
///
/// A send younger than 24 h is caught by Stripe's idempotency key, an older one by the search, which is at most an hour
/// late: searching from 12 h on, and never posting what may have been sent from 23 h on, leaves no gap between the two
/// nets.
public struct SendRules: Sendable {
    /// Searching by id comes first from this age on.
    package var searchAge: Int64 = 12 * 3_600_000
    /// A charge that may have been sent is not posted from this age on: Stripe forgets keys after 24 h
    /// (api/idempotent_requests).
    package var lastPostAge: Int64 = 23 * 3_600_000
    /// A search stays good for this long after it was begun: a process may have been frozen since.
    private static let searchKeeps: Int64 = 60_000

    /// `CHARGELINE_RETRY_FOR`, ms since acceptance.
    public var retryFor: Int64
    /// `CHARGELINE_SEARCH_FIRST=reusable`: first sends are searched for, too, but for those with a one-time token,
    /// which Stripe takes once.
    public var searchesReusable: Bool

    /// Makes the rules.
    public init(retryFor: Int64 = 20 * 3_600_000, searchesReusable: Bool = false) {
        self.retryFor = retryFor
        self.searchesReusable = searchesReusable
    }

    /// What may be done now.
    enum Decision: Equatable {
        case send
        /// Search by id; without a hit, decide anew.
        case searchFirst
        /// It may have been sent and may not be sent again.
        case lookUp
        /// It was never sent and will not be; the code says why.
        case neverSent(code: String)
    }

    /// Whether a search comes first: a twin may have been executed longer ago than Stripe keeps a key, and be paid
    /// anew.
    func wantsSearch(_ charge: Charge, now: Int64) -> Bool {
        if !charge.isAgeKnown || now - charge.accepted > searchAge { return true }
        let isOneTime = charge.request.token?.isOneTime ?? false
        return searchesReusable && !charge.mayHaveBeenSent && !isOneTime
    }

    /// Whether the key of any earlier send is still kept by Stripe.
    func isKeyKept(_ charge: Charge, now: Int64) -> Bool { now - charge.accepted < lastPostAge }

    /// Whether what was asked then is still known now.
    static func isFresh(_ asked: Int64, now: Int64) -> Bool { (0...searchKeeps).contains(now - asked) }

    /// Decides for a charge at a moment (ms since 1970).
    func decide(_ charge: Charge, searchedAt: Int64?, now: Int64) -> Decision {
        let age = now - charge.accepted
        if charge.mayHaveBeenSent {
            if age >= min(lastPostAge, retryFor) { return .lookUp }
        } else {
            if let notAfter = charge.notAfter, now > notAfter { return .neverSent(code: "expired") }
            if age >= retryFor { return .neverSent(code: "not_sent") }
        }
        let searched = searchedAt.map { Self.isFresh($0, now: now) } ?? false
        return wantsSearch(charge, now: now) && !searched ? .searchFirst : .send
    }
}
