/// Every setting of chargeline, read and checked. The fields are in the order of `SettingsTable`.
public struct ChargelineSettings: Sendable {
    /// The role for which they were read.
    public var role: Role
    /// `AMQP_URL`: one or several broker URLs, comma-separated, as they were written.
    public var brokerURLs: Secret
    /// `STRIPE_SECRET_KEY`.
    public var stripeKey: Secret?
    /// `STRIPE_API_BASE`.
    public var stripeBase: ServiceURL
    /// `STRIPE_FLOW`.
    public var stripeFlow: StripeFlow
    /// `CHARGELINE_PREFIX`.
    public var prefix: String
    /// `CHARGELINE_LANES`: at least one; the first is the default.
    public var lanes: [String]
    /// `CHARGELINE_IN_FLIGHT`: charges in flight in this process.
    public var inFlight: Int
    /// `CHARGELINE_STRIPE_RATE`: the account's requests a second; 0 for no limit.
    public var stripeRate: Double
    /// `CHARGELINE_WORKERS`: how many share the rate.
    public var workers: Int
    /// `CHARGELINE_STRIPE_TIMEOUT`.
    public var stripeTimeout: TimeSpan
    /// `CHARGELINE_RETRY_DELAYS`: ascending, at least one.
    public var retryDelays: [TimeSpan]
    /// `CHARGELINE_RETRY_FOR`: from acceptance.
    public var retryFor: TimeSpan
    /// `CHARGELINE_NOT_AFTER`, by lane.
    public var notAfter: [String: TimeSpan]
    /// `CHARGELINE_SEARCH_FIRST`.
    public var searchFirst: SearchFirst
    /// `CHARGELINE_RESULTS`.
    public var results: ResultsKeeping
    /// `CHARGELINE_SETTLE`: how long after its declaration a queue's marker is declared.
    public var settle: TimeSpan
    /// `CHARGELINE_DRAIN`.
    public var drain: TimeSpan
    /// `CHARGELINE_LISTEN`; nil for a role without a default when none is set.
    public var listen: HostPort?
    /// `CHARGELINE_ADMIN_LISTEN`; nil for a role without a default when none is set.
    public var adminListen: HostPort?
    /// `CHARGELINE_API_KEYS`; none: only this machine is served.
    public var apiKeys: [APIKey]
    /// `CHARGELINE_WAIT_MAX`.
    public var waitMax: TimeSpan
    /// `CHARGELINE_LOG`.
    public var log: LogVerbosity

    /// What each setting is and where it came from, for `chargeline config`.
    public internal(set) var effective: [EffectiveSetting] = []
    /// The files that hold secrets, by setting: they are read again on HUP.
    public internal(set) var secretFiles: [String: String] = [:]

    /// The lane of a charge that names none.
    public var defaultLane: String { lanes.first ?? "" }

    /// This process's share of Stripe's rate, requests a second; 0 for no limit.
    public var stripeRateShare: Double { stripeRate / Double(max(1, workers)) }

    /// Whether the key moves real money.
    public var isLive: Bool { stripeKey.map(Self.isLive) ?? false }

    static func isLive(_ key: Secret) -> Bool {
        key.reveal().hasPrefix("sk_live_") || key.reveal().hasPrefix("rk_live_")
    }
}
