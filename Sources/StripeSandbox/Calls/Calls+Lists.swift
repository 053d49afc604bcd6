internal import JSONText

extension Calls {
    func listIntents(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent, prefix: "data.")
        let created = try ListPage.Created.read(parameters)
        let customer = try listedCustomer(parameters)
        let page = ListPage.find(
            count: store.intents.count, limit: try ListPage.limit(parameters),
            after: try cursor(parameters, "starting_after") { store.intent($0, in: visit.scope)?.value.number },
            before: try cursor(parameters, "ending_before") { store.intent($0, in: visit.scope)?.value.number }
        ) { number in
            let intent = store.intents[number].value
            return intent.scope == visit.scope && created.holds(intent.created)
                && (customer == nil || intent.purchase.value.customer == customer)
        }
        return list("/v1/payment_intents", page) { writer, number in
            writer.intent(store.view(store.intents[number], expand))
        }
    }

    func listCharges(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge, prefix: "data.")
        let created = try ListPage.Created.read(parameters)
        let customer = try listedCustomer(parameters)
        let intentID = try parameters.text("payment_intent")
        let intent = try intentID.map { id throws(StripeFailure) -> Int in
            guard let intent = store.intent(id, in: visit.scope) else {
                throw .noSuch("payment_intent", id, param: "payment_intent")
            }
            return intent.value.number
        }
        let page = ListPage.find(
            count: store.charges.count, limit: try ListPage.limit(parameters),
            after: try cursor(parameters, "starting_after") { store.charge($0, in: visit.scope)?.value.number },
            before: try cursor(parameters, "ending_before") { store.charge($0, in: visit.scope)?.value.number }
        ) { number in
            let charge = store.charges[number].value
            return charge.scope == visit.scope && created.holds(charge.created)
                && (customer == nil || charge.purchase.value.customer == customer)
                && (intent == nil || charge.intent == intent)
        }
        return list("/v1/charges", page) { writer, number in
            writer.charge(store.view(disputed(store.charges[number]), expand))
        }
    }

    private func listedCustomer(_ parameters: Parameters) throws(StripeFailure) -> Int? {
        guard let id = try parameters.text("customer") else { return nil }
        guard let customer = store.customer(id, in: visit.scope) else {
            throw .noSuch("customer", id, param: "customer")
        }
        return customer.value.number
    }

    private func cursor(
        _ parameters: Parameters, _ name: String, _ find: (String) -> Int?
    ) throws(StripeFailure) -> Int? {
        guard let id = try parameters.text(name) else { return nil }
        guard let number = find(id) else { throw .noSuch("object", id, param: name) }
        return number
    }

    private func list(_ url: String, _ page: ListPage, _ write: (inout StripeWriter, Int) -> Void) -> Answer {
        var writer = StripeWriter(store.ids, reserving: 4_096 * (page.numbers.count + 1))
        writer.json.beginObject()
        writer.json.field("object", "list")
        writer.json.name("data")
        writer.json.beginArray()
        for number in page.numbers { write(&writer, number) }
        writer.json.endArray()
        writer.json.field("has_more", page.hasMore)
        writer.json.field("url", url)
        writer.json.endObject()
        return .json(writer.finish())
    }
}
