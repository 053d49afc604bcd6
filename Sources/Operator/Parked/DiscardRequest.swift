internal import Settings

/// What a `parked discard` was asked to do, checked.
struct DiscardRequest: Sendable {
    let selection: ParkedSelection
    /// Why, as a person says.
    let why: String
    /// Who decided it.
    let who: String
    /// Whether a person says that no money moved and none will.
    let saysNotCharged: Bool
    let isSure: Bool
    let isJSON: Bool

    private static let textMax = 1000

    init(
        _ invocation: Invocation, _ settings: ChargelineSettings, environment: [String: String]
    ) throws(UsageProblem) {
        func wrong(_ text: String) -> UsageProblem { UsageProblem(text, command: invocation.command) }
        selection = try ParkedSelection(invocation)
        isJSON = invocation.wantsJSON
        saysNotCharged = invocation.has("not-charged")
        isSure = invocation.has("yes")
        guard let why = invocation.values["why"], why.contains(where: { !$0.isWhitespace }) else {
            throw wrong("say why, for the record: --why TEXT")
        }
        let name = invocation.values["who"] ?? environment["USER"] ?? environment["LOGNAME"]
        guard let who = name, who.contains(where: { !$0.isWhitespace }) else {
            throw wrong("say who decides this, for the record: --who NAME")
        }
        guard why.utf8.count <= Self.textMax, who.utf8.count <= Self.textMax else {
            throw wrong("--why and --who may have at most \(Self.textMax) bytes")
        }
        self.why = Shown.line(why)
        self.who = Shown.line(who)
        if settings.results == .none, !isJSON {
            throw wrong(
                "CHARGELINE_RESULTS=none: there is no durable queue for the record: give --json, and keep its lines")
        }
        if saysNotCharged, settings.stripeKey == nil {
            throw wrong("STRIPE_SECRET_KEY is not set: before it is said that no money moved, Stripe is asked")
        }
        guard isSure || Confirmation.canAsk else {
            throw wrong("this cannot be undone: give --yes where nobody can be asked")
        }
    }
}
