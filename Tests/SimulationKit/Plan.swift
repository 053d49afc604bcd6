import Charging

/// A charge as its submitter means it: the bodies sent under one id, and when.
struct PlannedCharge {
    let id: ChargeID
    /// One request, or two that differ under the same id.
    var variants: [Variant]
    var submissions: [Submission]
    /// Whether more than one message may carry it, as its submitter knows.
    var isAlone: Bool { submissions.count == 1 }
}

/// One body under an id.
struct Variant {
    let request: ChargeRequest
    let body: [UInt8]
}

/// One message sent.
struct Submission {
    let variant: Int
    /// Ms after the start of the run.
    let at: Int64
    let lane: Int
    let stamp: Stamp

    /// When the message says that it was accepted.
    enum Stamp {
        /// The API's header.
        case header
        /// Only AMQP's own timestamp.
        case timestamp
        /// Nothing.
        case none
        /// Nothing believable, ms from now; or, long before 2020.
        case absurd(Int64)
    }
}

/// Draws what the submitters of a run will do.
struct Planner {
    let weather: Weather
    let start: Int64
    var random: SplitMix64
    private(set) var cards: [(String, Card)] = []

    init(weather: Weather, start: Int64, random: SplitMix64) {
        self.weather = weather
        self.start = start
        self.random = random
    }

    mutating func plan() -> [PlannedCharge] {
        cards.reserveCapacity(weather.charges + 8)
        return (0..<weather.charges).compactMap { plan($0) }
    }

    private mutating func plan(_ index: Int) -> PlannedCharge? {
        guard let id = try? ChargeID(validating: "order-\(index)") else { return nil }
        let at = random.between(0, weather.spread)
        let lane = random.below(2)
        guard let first = variant(id, index, number: 0, at: at) else { return nil }
        var planned = PlannedCharge(
            id: id, variants: [first], submissions: [Submission(variant: 0, at: at, lane: lane, stamp: stamp())])
        if random.happens(weather.differing), let second = variant(id, index, number: 1, at: at) {
            planned.variants.append(second)
            // Soon, since the second may bring a token of its own: Stripe's key catches it for a day only.
            planned.submissions.append(
                Submission(variant: 1, at: at + random.between(0, 9 * Weather.hour), lane: lane, stamp: stamp()))
        }
        while random.happens(weather.duplicates), planned.submissions.count < 4 {
            let variant = random.below(planned.variants.count)
            let request = planned.variants[variant].request
            let isOneTime = request.token?.isOneTime ?? false
            let latest = isOneTime && planned.variants.count == 1 ? 40 * Weather.hour : 9 * Weather.hour
            let gap = random.happens(0.7) ? random.between(0, 10 * Weather.minute) : random.between(0, latest)
            planned.submissions.append(Submission(variant: variant, at: at + gap, lane: lane, stamp: stamp()))
        }
        if weather.submitsAgainAfter > 0 {
            planned.submissions.append(
                Submission(variant: 0, at: at + weather.submitsAgainAfter, lane: lane, stamp: .header))
        }
        return planned
    }

    private mutating func variant(_ id: ChargeID, _ index: Int, number: Int, at: Int64) -> Variant? {
        let (token, customer) = token(index, number)
        guard let token, let usd = Currency("usd") else { return nil }
        var request = ChargeRequest(
            id: id, token: token, amount: Int64(1000 + index + 100 * number), currency: usd,
            description: "Order \(index)", metadata: ["order": "\(index)"])
        request.customer = customer
        request.capture = !random.happens(0.1)
        if random.happens(weather.expiring) {
            request.notAfter = start + at + random.between(1000, 3 * Weather.hour)
        }
        return Variant(request: request, body: request.json())
    }

    private mutating func token(_ index: Int, _ number: Int) -> (CardToken?, customer: String?) {
        let fate = Fate.drawn(odd: weather.oddCards, &random)
        let text: String
        var customer: String?
        var isReusable = false
        // A flow's own kinds of tokens are refused in the other.
        switch weather.paysReusably ? 12 : random.below(weather.mixedFlows || weather.tokensOnly ? 15 : 20) {
        case 0...11: text = "tok_1simulatedcard\(number)x\(1000 + index)"
        case 12...14: (text, isReusable) = ("tok_test\(number)x\(index)", true)
        case 15, 16: (text, customer, isReusable) = ("pm_saved\(number)x\(index)", "cus_\(index)", true)
        case 17, 18: text = "pm_once\(number)x\(index)"
        default: (text, isReusable) = ("src_\(number)x\(index)", true)
        }
        guard let token = try? CardToken(validating: text) else { return (nil, nil) }
        if case .missing = fate {} else { cards.append((text, Card(fate, isReusable: isReusable, kind: token.kind))) }
        return (token, customer)
    }

    private mutating func stamp() -> Submission.Stamp {
        guard random.happens(weather.unstamped) else { return random.happens(0.7) ? .header : .timestamp }
        switch random.below(4) {
        case 0: return .absurd(random.between(1, 10) * 365 * 24 * Weather.hour)
        case 1: return .absurd(-10 * 365 * 24 * Weather.hour)
        default: return .none
        }
    }
}
