/// Every setting, in the order in which people are shown them. Reading, `--help`, `config` and the examples in
/// `config/` are made from, or tested against, this one table.
public enum SettingsTable {
    private static let running: [Role] = [.api, .worker, .sandbox]

    /// The table.
    public static let all: [Setting] = connections + charging + serving

    private static let connections = [
        Setting(
            "AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2F",
            "the broker; amqps:// for TLS; several, comma-separated, are tried in turn", secrecy: .holdsPassword,
            roles: [.api, .worker, .tool]),
        Setting(
            "STRIPE_SECRET_KEY", nil,
            "Stripe's secret (sk_…) or restricted (rk_…) key; a live one never for a local Stripe",
            example: "sk_test_…", secrecy: .secret, roles: [.api, .worker, .tool]),
        Setting(
            "STRIPE_API_BASE", "https://api.stripe.com", "where Stripe is; plain http only for this machine",
            roles: [.api, .worker, .tool]),
        Setting(
            "STRIPE_FLOW", "payment_intents", "payment_intents, or charges for the older API",
            roles: [.api, .worker, .tool]),
        Setting(
            "CHARGELINE_PREFIX", "chargeline", "first part of every exchange and queue name",
            roles: [.api, .worker, .tool]),
        Setting(
            "CHARGELINE_LANES", "checkout,batch", "the lanes; the first is the default", roles: [.api, .worker, .tool]),
    ]

    private static let charging = [
        Setting("CHARGELINE_IN_FLIGHT", "100", "charges in flight in one worker process", roles: [.worker]),
        Setting(
            "CHARGELINE_STRIPE_RATE", "25", "requests a second that Stripe allows the account; 0 for no limit",
            roles: [.worker]),
        Setting("CHARGELINE_WORKERS", "1", "how many workers share that rate", roles: [.worker]),
        Setting(
            "CHARGELINE_STRIPE_TIMEOUT", "30s", "longest that one request to Stripe may take",
            roles: [.api, .worker, .tool]),
        Setting(
            "CHARGELINE_RETRY_DELAYS", "1s,5s,30s,2m,10m,1h", "the durable wait queues, ascending",
            roles: [.api, .worker, .tool]),
        Setting(
            "CHARGELINE_RETRY_FOR", "20h", "how long from its acceptance a charge is tried; under 23h", roles: [.worker]
        ),
        Setting(
            "CHARGELINE_NOT_AFTER", nil,
            "how long after its acceptance a lane's charge may first be sent, where it says nothing",
            example: "checkout=2h", roles: [.worker]),
        Setting(
            "CHARGELINE_SEARCH_FIRST", "aged",
            "aged: a charge accepted over 12 h ago is searched for first; reusable: so is any with a reusable method",
            roles: [.worker]),
        Setting(
            "CHARGELINE_RESULTS", "queue", "queue, or none for those who only use HTTP", roles: [.api, .worker, .tool]),
        Setting(
            "CHARGELINE_SETTLE", "2s",
            "how long a new queue is left to become safe from a broker's crash; 0s only in tests",
            roles: [.api, .worker, .tool]),
    ]

    private static let serving = [
        Setting("CHARGELINE_DRAIN", "20s", "how long to finish what is held after TERM", roles: running),
        Setting(
            "CHARGELINE_LISTEN", nil, "where HTTP is served", example: "127.0.0.1:8080", roles: [.api, .sandbox],
            roleStandards: [.api: "127.0.0.1:8080", .sandbox: "127.0.0.1:12110"]),
        Setting(
            "CHARGELINE_ADMIN_LISTEN", nil, "where health and metrics are served; never public",
            example: "127.0.0.1:9464",
            roles: [.api, .worker], roleStandards: [.api: "127.0.0.1:9463", .worker: "127.0.0.1:9464"]),
        Setting(
            "CHARGELINE_API_KEYS", nil,
            "bearer keys that the API takes, comma-separated; without any only this machine is served",
            example: "shop:0123456789abcdef", secrecy: .secret, roles: [.api]),
        Setting(
            "CHARGELINE_WAIT_MAX", "55s", "longest a caller may wait for a result; POST /charge waits this long",
            roles: [.api]),
        Setting("CHARGELINE_LOG", "info", "debug, info, warning or error"),
    ]

    /// The setting of this name in the environment.
    public static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

    /// The setting with this flag, without its dashes.
    public static func flagged(_ flag: String) -> Setting? { all.first { $0.flag == flag } }

    /// The known name that was probably meant by one that is not known. `CHARGELINE_` too much or too little is seen,
    /// and so is a known name with a word behind it.
    public static func nearest(to name: String) -> String? {
        let names = all.flatMap { setting in [setting.name] + (setting.fileName.map { [$0] } ?? []) }
        let wanted = bare(name.uppercased())
        if let exact = names.first(where: { bare($0) == wanted }) { return exact }
        // Compared without what all names have in common, which would make them all seem near.
        if let near = NearestName.of(wanted, among: names.map(bare)) { return names.first { bare($0) == near } }
        return names.first { wanted.hasPrefix(bare($0) + "_") }
    }

    private static func bare(_ name: String) -> String {
        name.hasPrefix(Setting.prefix) ? String(name.dropFirst(Setting.prefix.count)) : name
    }
}
