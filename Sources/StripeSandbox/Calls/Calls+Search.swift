internal import JSONText
internal import Settings

extension Calls {
    private static let chargeFields: Set = [
        "amount", "billing_details.address.postal_code", "created", "currency", "customer", "disputed", "metadata",
        "payment_method_details.card.last4", "payment_method_details.card.brand",
        "payment_method_details.card.exp_month", "payment_method_details.card.exp_year",
        "payment_method_details.card.fingerprint", "refunded", "status",
    ]
    private static let intentFields: Set = ["amount", "created", "currency", "customer", "metadata", "status"]

    func searchIntents(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .intent, prefix: "data.")
        let query = try query(parameters, Self.intentFields, "payment_intents")
        let candidates = query.chargeID.map { ledger.track(chargeID: $0)?.intents ?? [] }
        let hits = hits(candidates, count: store.intents.count) { number in
            let intent = store.intents[number].value
            guard isSearchable(intent.scope, intent.created) else { return false }
            return query.matches { look($0, in: intent) }
        }
        return try found("/v1/payment_intents/search", parameters, hits, expand) { writer, number in
            writer.intent(store.view(store.intents[number], expand))
        }
    }

    func searchCharges(_ parameters: Parameters) throws(StripeFailure) -> Answer {
        let expand = try Expansion.read(parameters.form, .charge, prefix: "data.")
        let query = try query(parameters, Self.chargeFields, "charges")
        let candidates = query.chargeID.map { ledger.track(chargeID: $0)?.charges ?? [] }
        let hits = hits(candidates, count: store.charges.count) { number in
            let charge = store.charges[number].value
            guard isSearchable(charge.scope, charge.created) else { return false }
            return query.matches { look($0, in: charge) }
        }
        return try found("/v1/charges/search", parameters, hits, expand) { writer, number in
            writer.charge(store.view(store.charges[number], expand))
        }
    }

    /// Not for read-after-write: an object shows only once the search lag has passed.
    private func isSearchable(_ scope: Int, _ created: Int64) -> Bool {
        scope == visit.scope && created + sandbox.settings.searchLag.milliseconds <= visit.now
    }

    private func query(
        _ parameters: Parameters, _ fields: Set<String>, _ resource: String
    ) throws(StripeFailure) -> SearchQuery {
        let text = try parameters.requiredText("query")
        let query: SearchQuery
        do {
            query = try SearchQuery(text)
        } catch {
            throw .wrong("query", error.message)
        }
        for clause in query.clauses
        where !fields.contains(clause.field) || (clause.field == "metadata") != (clause.key != nil) {
            throw StripeFailure(
                "Field `\(clause.field)` is an unsupported search field for resource `\(resource)`. See "
                    + "http://stripe.com/docs/search#query-fields-for-\(resource) for a list of supported fields.")
        }
        return query
    }

    /// Newest first. Where the query names a chargeline id, only what carries it is looked at.
    private func hits(_ candidates: [Int]?, count: Int, where holds: (Int) -> Bool) -> [Int] {
        if let candidates { return candidates.reversed().filter(holds) }
        return (0..<count).reversed().filter(holds)
    }

    private func found(
        _ url: String, _ parameters: Parameters, _ hits: [Int], _ expand: Expansion,
        _ write: (inout StripeWriter, Int) -> Void
    ) throws(StripeFailure) -> Answer {
        let limit = try ListPage.limit(parameters)
        var start = 0
        if let page = try parameters.text("page") {
            guard let number = store.ids.number(.secret, page), number <= hits.count else {
                throw .wrong("page", "Invalid page: \(page.prefix(30))")
            }
            start = number
        }
        let end = min(hits.count, start + limit)
        var writer = StripeWriter(store.ids, reserving: 4_096 * (end - start + 1))
        writer.json.beginObject()
        writer.json.field("object", "search_result")
        writer.json.name("data")
        writer.json.beginArray()
        for number in hits[start..<end] { write(&writer, number) }
        writer.json.endArray()
        writer.json.field("has_more", end < hits.count)
        writer.json.field("next_page", end < hits.count ? store.ids.text(.secret, end) : nil)
        if expand.contains(.totalCount) { writer.json.field("total_count", min(hits.count, 10_000)) }
        writer.json.field("url", url)
        writer.json.endObject()
        return .json(writer.finish())
    }

    // MARK: Fields

    private func look(_ clause: SearchQuery.Clause, in intent: Intent) -> SearchQuery.Value? {
        clause.field == "status"
            ? .text(intent.status.rawValue) : look(clause, in: intent.purchase.value, created: intent.created)
    }

    private func look(_ clause: SearchQuery.Clause, in charge: Charge) -> SearchQuery.Value? {
        let card = charge.card
        switch clause.field {
        case "status": return .text(charge.status.rawValue)
        case "disputed": return .text(charge.isDisputed ? "true" : "false")
        case "refunded": return .text(charge.isRefunded ? "true" : "false")
        case "billing_details.address.postal_code": return card.billing?.value.postalCode.map { .text($0) }
        case "payment_method_details.card.last4": return .text(card.facts.last4)
        case "payment_method_details.card.brand": return .text(card.facts.brand.word)
        case "payment_method_details.card.exp_month": return .number(Int64(card.expiryMonth))
        case "payment_method_details.card.exp_year": return .number(Int64(card.expiryYear))
        case "payment_method_details.card.fingerprint": return .text(StripeWriter(store.ids).fingerprint(card))
        default: return look(clause, in: charge.purchase.value, created: charge.created)
        }
    }

    private func look(
        _ clause: SearchQuery.Clause, in purchase: Purchase, created: Int64
    ) -> SearchQuery.Value? {
        switch clause.field {
        case "amount": return .number(purchase.amount)
        case "created": return .number(created / 1_000)
        case "currency": return .text(purchase.currency)
        case "customer": return purchase.customer.map { .text(store.ids.text(.customer, $0)) }
        case "metadata": return clause.key.flatMap { purchase.metadata[$0] }.map { .text($0) }
        default: return nil
        }
    }
}
