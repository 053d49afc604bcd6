public import Charging
public import HTTPClient
internal import JSONText
public import Settings

/// Stripe's API, as far as charges need it. The live side of `StripePort`; it lives on the loop of its transfers.
///
/// It decides nothing and tries nothing again: each call is one request (a search or list: as many as it has pages) and
/// one outcome.
public final class StripeGateway: StripePort {
    private let transfers: Transfers
    private let settings: StripeSettings
    private let intentsURL: String
    private let chargesURL: String
    private var key: StripeKey

    /// Makes a gateway. `transfers` must capture `capturedHeaders`.
    public init(transfers: Transfers, settings: StripeSettings, key: Secret) {
        self.transfers = transfers
        self.settings = settings
        self.key = StripeKey(key, settings: settings)
        intentsURL = settings.base + Flow.paymentIntents.path
        chargesURL = settings.base + Flow.charges.path
    }

    /// The answer headers that decide; for `Transfers`.
    public static var capturedHeaders: HeaderNames { AnswerReader.headers }

    /// Whether the key's mode is live.
    public var isLive: Bool { key.isLive }

    /// Takes another key for the requests that follow; those under way keep theirs.
    public func replaceKey(_ key: Secret) {
        self.key = StripeKey(key, settings: settings)
    }

    /// Sends a charge: the form as it is, under the charge's id as idempotency key.
    public func charge(_ id: ChargeID, form: [UInt8], flow: Flow, account: String?) async -> StripeOutcome {
        await object(
            StripeCall(
                method: .post, path: flow.path, body: form, idempotencyKey: .charge(id), account: account),
            at: flow == .charges ? chargesURL : intentsURL)
    }

    /// Reads an object by its id, at once consistent.
    public func retrieve(_ object: StripeObject, account: String?) async -> StripeOutcome {
        let id = URLText.encoded(object.id)
        let path =
            switch object.kind {
            case .paymentIntent: "/v1/payment_intents/\(id)?expand[0]=latest_charge"
            case .charge: "/v1/charges/\(id)"
            }
        return await self.object(StripeCall(method: .get, path: path, account: account))
    }

    /// Cancels an open intent of ours, under the key `<id>/cancel`.
    public func cancel(_ id: ChargeID, paymentIntent: String, account: String?) async -> StripeOutcome {
        await object(
            StripeCall(
                method: .post, path: "/v1/payment_intents/\(URLText.encoded(paymentIntent))/cancel",
                idempotencyKey: .cancel(id), account: account))
    }

    /// Spends a one-time token on nothing, under the key `<id>/burn`: the answer is `other("payment_method")` if
    /// nothing had used it.
    public func burn(_ id: ChargeID, token: CardToken, account: String?) async -> StripeOutcome {
        let form = URLText.query([("type", "card"), ("card[token]", token.reveal())])
        return await object(
            StripeCall(
                method: .post, path: "/v1/payment_methods", body: Array(form.utf8), idempotencyKey: .burn(id),
                account: account))
    }

    /// A plain read that any key may do: tells whether Stripe answers and the key is taken (`other("balance")`).
    public func probe() async -> StripeOutcome {
        await object(StripeCall(method: .get, path: "/v1/balance"))
    }

    // MARK: Finding

    /// Searches payment intents and charges by `metadata['chargeline_id']`. Late by up to an hour: a miss proves
    /// nothing.
    public func search(_ id: ChargeID, account: String?) async -> StripeFinding {
        // A quote in the value would end it (docs: search); no id of ours has one.
        let value = id.text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let query = URLText.query([("query", "metadata['chargeline_id']:'\(value)'"), ("limit", "20")])
        return await collect(id) { (flow, last) in
            var more = ""
            if let last {
                guard let next = last.nextPage else { return nil }
                more = "&page=" + URLText.encoded(next)
            }
            return StripeCall(
                method: .get, path: "\(flow.path)/search?\(query)\(more)", account: account, answer: .page)
        }
    }

    /// Pages through the payment intents and charges made in this window (seconds since 1970) and keeps those of the
    /// id. At most 100 pages of 100 of each kind are read.
    public func list(_ id: ChargeID, from: Int64, to: Int64, account: String?) async -> StripeFinding {
        let query = "created[gte]=\(from)&created[lte]=\(to)&limit=100"
        return await collect(id) { (flow, last) in
            var more = ""
            if let last {
                guard let lastID = last.lastID else { return nil }
                more = "&starting_after=" + URLText.encoded(lastID)
            }
            return StripeCall(method: .get, path: "\(flow.path)?\(query)\(more)", account: account, answer: .page)
        }
    }

    private static let pagesMax = 100

    /// Reads all pages of both kinds; the newest payment comes first. `call` makes the call for the page after `last`,
    /// if there can be one.
    private func collect(
        _ id: ChargeID, _ call: (_ flow: Flow, _ last: StripePage?) -> StripeCall?
    ) async -> StripeFinding {
        var found: [StripeObject] = []
        for flow in Flow.allCases {
            var last: StripePage?
            var pages = 0
            while pages < Self.pagesMax, last?.hasMore ?? true, let call = call(flow, last) {
                switch await page(call) {
                case .failed(let outcome): return .failed(outcome)
                case .page(let page):
                    found += page.payments.filter { $0.chargelineID == id.text }
                    last = page
                }
                pages += 1
            }
        }
        return .found(found.sorted { ($0.created, $0.id) > ($1.created, $1.id) })
    }

    private enum PageOutcome {
        case page(StripePage)
        case failed(StripeOutcome)
    }

    private func page(_ call: StripeCall) async -> PageOutcome {
        switch await transfers.perform(request(call, at: settings.base + call.path)) {
        case .failed(let failure): return .failed(AnswerReader.read(failure))
        case .reply(let reply):
            var page: StripePage?
            let outcome = AnswerReader.read(reply) { (json) throws(JSONError) in
                page = try StripePage.read(&json)
                return page.map { _ in .other("list") }
            }
            if case .answered = outcome, let page { return .page(page) }
            return .failed(outcome)
        }
    }

    // MARK: One request

    private func object(_ call: StripeCall, at url: String? = nil) async -> StripeOutcome {
        AnswerReader.read(await transfers.perform(request(call, at: url ?? settings.base + call.path)))
    }

    private func request(_ call: StripeCall, at url: String) -> TransferRequest {
        TransferRequest(
            call.method, url, headers: key.headers, fields: call.fields, body: call.body,
            timeoutMilliseconds: settings.timeoutMilliseconds,
            answerBytesMax: AnswerReader.answerBytesMax(call.answer))
    }
}
