/// One of Stripe's documented test cards (Stripe docs: testing), and how charges on it end.
struct TestCard: Sendable {
    /// What the bank, the network or Radar does with a charge.
    enum Outcome: Sendable, Equatable {
        case approve
        /// Succeeds; Radar marks it for review.
        case elevatedRisk
        case decline(Decline)
        /// The buyer must authenticate; an unattended charge is refused.
        case authenticate
        /// Succeeds; a dispute stands on it when it is read later.
        case dispute
    }

    /// The results of the checks on a card's data that the test card is made for.
    struct Checks: Sendable, Equatable {
        var line1 = "pass"
        var postalCode = "pass"
        var cvc = "pass"
    }

    let number: String
    /// Behind `tok_` and `pm_card_`: the names under which Stripe offers it.
    let names: [String]
    var brand = Brand.visa
    var funding = "credit"
    var country = "US"
    var outcome = Outcome.approve
    var checks = Checks()
    /// Declined when charged, yet it may be stored with a customer.
    var attaches = false
    /// Named only as a payment method, never as a token.
    var methodOnly = false

    init(
        _ number: String, _ names: String..., brand: Brand = .visa, funding: String = "credit", country: String = "US",
        outcome: Outcome = .approve, checks: Checks = Checks(), attaches: Bool = false, methodOnly: Bool = false
    ) {
        self.number = number
        self.names = names
        self.brand = brand
        self.funding = funding
        self.country = country
        self.outcome = outcome
        self.checks = checks
        self.attaches = attaches
        self.methodOnly = methodOnly
    }

    var last4: String { String(number.suffix(4)) }

    /// Whether a customer may store it: Stripe tries the card then.
    var refusesAttachment: Decline? {
        if case .decline(let decline) = outcome, !attaches { decline } else { nil }
    }
}
