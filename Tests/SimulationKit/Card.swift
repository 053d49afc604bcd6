import Charging

/// What happens when a card is charged, whatever the weather.
enum Fate: Sendable {
    case succeeds
    /// 402; the token is spent.
    case declines
    /// 402 `authentication_required`.
    case needsAuthentication
    /// A 200 whose intent waits for the buyer, who may come back hours later.
    case waitsForBuyer
    /// Pending for a while, then `succeeds` or not.
    case settlesLate(after: Int64, succeeds: Bool)
    /// 400 that names the amount.
    case tooLarge
    /// 402 of another type than `card_error`.
    case notAllowed
    /// Stripe knows no such token.
    case missing

    /// Draws a fate; `odd` of them are not plain success.
    static func drawn(odd: Double, _ random: inout SplitMix64) -> Fate {
        guard random.happens(odd) else { return .succeeds }
        switch random.below(12) {
        case 0...6: return .declines
        case 7: return .needsAuthentication
        case 8: return .waitsForBuyer
        case 9:
            return .settlesLate(
                after: random.between(Weather.minute, 5 * Weather.hour), succeeds: random.happens(0.5))
        case 10: return .tooLarge
        default: return random.happens(0.5) ? .notAllowed : .missing
        }
    }
}

/// A token at Stripe.
final class Card {
    let fate: Fate
    /// Whether Stripe takes it more than once.
    let isReusable: Bool
    /// Which of the kinds of tokens; what Stripe says of a spent one depends on it.
    let kind: CardToken.Kind
    /// Spent, by a charge that succeeded or was declined.
    var isUsed = false
    /// Spent on nothing.
    var isBurnt = false
    /// Executions that hold it now.
    var inUse = 0

    init(_ fate: Fate, isReusable: Bool, kind: CardToken.Kind) {
        self.fate = fate
        self.isReusable = isReusable
        self.kind = kind
    }
}
