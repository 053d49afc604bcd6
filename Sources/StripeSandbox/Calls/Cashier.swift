/// Puts a charge to a card's bank: makes the charge object, whatever comes of it, and enters it in the ledger.
struct Cashier {
    let store: ObjectStore
    let ledger: Ledger
    let visit: Visit

    /// - Parameter decline: a refusal decided before; nil lets the card decide.
    func charge(
        _ purchase: Kept<Purchase>, _ card: Card, _ instrument: Instrument, intent: Int? = nil, capture: Bool,
        decline: Decline? = nil
    ) -> Kept<Charge> {
        var charge = Charge(
            number: store.nextCharge, scope: visit.scope, created: visit.now, purchase: purchase, card: card,
            instrument: instrument, intent: intent, idempotencyKey: visit.key)
        if let refusal = decline ?? Self.refusal(card) {
            charge.status = .failed
            charge.decline = Kept(refusal)
            charge.captured = false
        } else {
            charge.captured = capture
            charge.amountCaptured = capture ? charge.amount : 0
        }
        ledger.add(charge)
        return store.keep(charge)
    }

    private static func refusal(_ card: Card) -> Decline? {
        if case .decline(let decline) = card.facts.outcome { decline } else { nil }
    }

    /// Takes an authorized amount, or part of it; the rest is let go.
    func capture(_ kept: Kept<Charge>, amount: Int64) -> Kept<Charge> {
        var charge = kept.value
        charge.captured = true
        charge.amountCaptured = amount
        charge.amountRefunded = charge.amount - amount
        return store.keep(charge)
    }

    /// Lets an authorization go.
    func release(_ kept: Kept<Charge>) -> Kept<Charge> {
        var charge = kept.value
        charge.amountRefunded = charge.amount
        ledger.released(charge)
        return store.keep(charge)
    }
}
