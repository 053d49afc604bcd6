/// Charges whose workers die. A crash raises the delivery count of all that the worker held, so the count only makes a
/// suspect; what a suspect is, it shows alone.
extension ChargeVisit {
    /// Marked so often, Stripe is asked and the charge is not tried again. A broker that restarts raises counts too, so
    /// a visit that comes to any end clears the mark: workers do not die of this one.
    static let suspectLimit = 3

    /// Marks it and puts it back: marked charges are worked on only when nothing else is in flight in the process.
    func suspect(_ delivery: ChargeDelivery) async -> Disposition {
        var headers = delivery.heldHeaders(now: clock.now())
        headers.suspect += 1
        guard await store(.again(delivery, headers), delivery) else { return .left }
        broker.ack(delivery)
        return .givenBack
    }

    /// Its workers died alone with it, twice: what Stripe knows of it decides, else a person.
    func decideSuspect(_ charge: Charge) async -> Disposition {
        guard await traffic.turn(.lookup, lane: charge.delivery.lane) == .go else { return await giveBack(charge) }
        let finding = await stripe.search(charge.request.id, account: charge.request.stripeAccount)
        traffic.saw(TrafficSignal(finding))
        switch finding {
        case .found(let objects) where !objects.isEmpty: return await judge(charge, objects)
        case .found: return await park(charge.delivery, charge.headers, .killsWorkers, charge: charge)
        // Nothing was tried, so the mark stays.
        case .failed: return await giveBack(charge)
        }
    }
}

extension ChargeDelivery {
    /// Given out twice before and never settled: a worker may have died of it, or of a neighbour.
    public var isNewlySuspect: Bool { deliveryCount >= 2 }
    /// Marked, so it must be alone.
    public var isSuspect: Bool { headers.suspect > 0 && !isNewlySuspect }
}
