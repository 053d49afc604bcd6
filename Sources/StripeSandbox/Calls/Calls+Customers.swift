internal import JSONText

extension Calls {
    func createCustomer(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        _ = try Expansion.read(parameters.form, .customer)
        var customer = Customer(number: store.nextCustomer, scope: visit.scope, created: visit.now)
        customer.email = try parameters.email("email")
        customer.name = try parameters.text("name", atMost: 256)
        customer.description = try parameters.text("description", atMost: 350)
        customer.metadata = Metadata(try parameters.metadata())
        let source = try parameters.text("source")
        try visit.beginExecution()
        if let source {
            let card = try spend(token: source, param: "source")
            if let refusal = card.facts.refusesAttachment { throw .card(Kept(refusal)) }
            customer.card = card
            customer.cardNumber = store.nextCard()
        }
        return .customer(store.keep(customer))
    }

    func customer(_ id: String, _ parameters: Parameters) throws(StripeFailure) -> Answer {
        _ = try Expansion.read(parameters.form, .customer)
        guard let customer = store.customer(id, in: visit.scope) else {
            throw .noSuch("customer", id, param: "id", status: 404)
        }
        return .customer(customer)
    }

    /// What was captured, by currency.
    func balance() -> Answer {
        var sums: [String: Int64] = [:]
        for kept in store.charges where kept.value.scope == visit.scope {
            let charge = kept.value
            guard charge.movesMoney, charge.captured else { continue }
            sums[charge.purchase.value.currency, default: 0] += charge.amountCaptured
        }
        // Nine million charges of twelve digits fit 64 bits.
        if sums.isEmpty { sums["usd"] = 0 }
        var json = JSONWriter()
        json.beginObject()
        json.field("object", "balance")
        json.name("available")
        json.beginArray()
        for (currency, amount) in sums.sorted(by: { $0.key < $1.key }) {
            json.beginObject()
            json.field("amount", amount)
            json.field("currency", currency)
            json.name("source_types")
            json.beginObject()
            json.field("card", amount)
            json.endObject()
            json.endObject()
        }
        json.endArray()
        json.field("livemode", visit.isLive)
        json.name("pending")
        json.beginArray()
        json.endArray()
        json.endObject()
        return .json(json.finish())
    }
}
