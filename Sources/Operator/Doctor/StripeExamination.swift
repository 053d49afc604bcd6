internal import Charging
internal import EventLoop
internal import HTTPClient
internal import Settings
internal import StripeClient

/// What the doctor asks Stripe. Lives on the loop.
struct StripeExamination {
    let loop: Loop
    let settings: ChargelineSettings
    let version: String

    private static let patience: Int64 = 10_000

    func findings() async -> [Finding] {
        guard let key = settings.stripeKey else {
            return [
                Finding(
                    "key", .problem, "STRIPE_SECRET_KEY is not set: no worker can charge",
                    mend: "set it, or STRIPE_SECRET_KEY_FILE, as the workers have it")
            ]
        }
        let answer = await probe(key)
        return [Self.key(key, base: settings.stripeBase), Self.answer(answer, base: settings.stripeBase)]
            + [await clock()]
    }

    /// What kind of key it is.
    static func key(_ key: Secret, base: ServiceURL) -> Finding {
        let text = key.reveal()
        let isLive = text.hasPrefix("sk_live_") || text.hasPrefix("rk_live_")
        let isTest = text.hasPrefix("sk_test_") || text.hasPrefix("rk_test_")
        let kind = text.hasPrefix("rk_") ? "restricted" : "secret"
        let shown = SettingMask.key(text)
        guard isLive || isTest else {
            return Finding(
                "key", .problem, "\(shown) says neither test nor live", mend: "copy the key from Stripe's dashboard")
        }
        if isLive, base.host != "api.stripe.com" {
            return Finding(
                "key", .problem, "\(shown) is a live key, and \(base) is not Stripe",
                mend: "unset STRIPE_API_BASE, or use a test key")
        }
        return Finding("key", .ok, "\(shown): a \(isLive ? "LIVE" : "test") \(kind) key, for \(base)")
    }

    private func probe(_ key: Secret) async -> StripeOutcome {
        let transfers = Transfers(
            loop: loop, settings: TransferSettings(atOnce: 4), capturing: StripeGateway.capturedHeaders)
        defer { transfers.shutdown() }
        let gateway = StripeGateway(
            transfers: transfers,
            settings: StripeSettings(
                base: settings.stripeBase.description,
                timeoutMilliseconds: Int(min(Self.patience, settings.stripeTimeout.milliseconds)),
                programVersion: version), key: key)
        return await gateway.probe()
    }

    /// What a plain read came to.
    static func answer(_ outcome: StripeOutcome, base: ServiceURL) -> Finding {
        switch outcome {
        case .answered(let answer):
            switch answer.status {
            case 200..<300: return Finding("stripe", .ok, "takes the key (\(answer.requestID))")
            case 401:
                return Finding(
                    "stripe", .problem, "does not take the key (401)",
                    mend: "check STRIPE_SECRET_KEY; a rolled key no longer works")
            case 403:
                return Finding(
                    "stripe", .problem, "does not let the key read the balance (403)",
                    mend: "allow the restricted key Balance: read; workers ask by it whether Stripe works")
            case 429:
                return Finding("stripe", .problem, "answers, and limits this account (429)", mend: "ask again later")
            default:
                return Finding("stripe", .problem, "answers \(answer.status)", mend: "see status.stripe.com")
            }
        case .notSent(let why):
            let mend =
                switch why.kind {
                case .resolve: "check the name in STRIPE_API_BASE, and this machine's DNS"
                case .certificate: "the certificate is not trusted: check STRIPE_API_BASE, proxies, and ca-certificates"
                case .connect, .tls, .cancelled: "check the network and STRIPE_API_BASE"
                }
            return Finding("stripe", .unreachable, "\(base): \(why.message)", mend: mend)
        case .noAnswer(let words):
            return Finding("stripe", .unreachable, "\(base): \(words)", mend: "check the network and STRIPE_API_BASE")
        case .notStripe(let words):
            return Finding(
                "stripe", .problem, "\(base) answers, and is not Stripe: \(words)", mend: "check STRIPE_API_BASE")
        }
    }

    /// By the `Date` of any answer; no key is sent.
    private func clock() async -> Finding {
        let transfers = Transfers(
            loop: loop, settings: TransferSettings(atOnce: 1), capturing: HeaderNames(["date"]))
        defer { transfers.shutdown() }
        let request = TransferRequest(
            .get, settings.stripeBase.description + "/v1/balance",
            headers: ConstantHeaders([("User-Agent", "chargeline/\(version)")]),
            timeoutMilliseconds: Int(Self.patience))
        let before = LoopClock.wall()
        let outcome = await transfers.perform(request)
        let after = LoopClock.wall()
        guard case .reply(let reply) = outcome, let text = reply.headers.value("date"),
            let theirs = HTTPDate.milliseconds(text)
        else { return Finding("clock", .unseen, "Stripe's time is not known: no Date came") }
        return Self.clock(theirs: theirs, before: before, after: after)
    }

    /// Compares Stripe's clock with ours; all in ms since 1970.
    static func clock(theirs: Int64, before: Int64, after: Int64) -> Finding {
        // A Date has whole seconds: half of one is the best guess.
        let ahead = (before + after) / 2 - (theirs + 500)
        let seconds = Int64((Double(ahead) / 1000).rounded())
        guard abs(ahead) > 30_000 else {
            return Finding("clock", .ok, "within \(max(1, abs(seconds))) s of Stripe's")
        }
        let way = ahead > 0 ? "ahead of" : "behind"
        return Finding(
            "clock", .problem, "\(abs(seconds)) s \(way) Stripe's: the age of charges is counted by it",
            mend: "let chrony or systemd-timesyncd set it")
    }
}
