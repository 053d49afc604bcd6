internal import JSONText

/// Ledger lines as they stand now, for machines.
struct LedgerText {
    let store: ObjectStore

    func purchase(_ line: Ledger.Line) -> Purchase {
        switch line {
        case .charge(let number): store.charges[number].value.purchase.value
        case .attempt(let attempt): attempt.value.purchase.value
        }
    }

    /// One JSON object: ids, money, how it stands, whose it is.
    func json(_ line: Ledger.Line) -> [UInt8] {
        let ids = store.ids
        let purchase = purchase(line)
        var writer = StripeWriter(ids, reserving: 384)
        writer.json.beginObject()
        switch line {
        case .charge(let number):
            let charge = store.charges[number].value
            writer.json.field("id", ids.text(.charge, number))
            writer.json.field("payment_intent", charge.intent.map { ids.text(.intent, $0) })
            writer.json.field("amount", purchase.amount)
            writer.json.field("amount_captured", charge.amountCaptured)
            writer.json.field("currency", purchase.currency)
            writer.json.field("status", charge.standing)
            writer.json.field("code", charge.decline?.value.code)
            writer.json.field("decline_code", charge.decline?.value.declineCode)
            writer.metadata(purchase.metadata)
            writer.json.field("idempotency_key", charge.idempotencyKey)
            writer.time("created", charge.created)
        case .attempt(let kept):
            let attempt = kept.value
            writer.nulls("id")
            writer.json.field("payment_intent", ids.text(.intent, attempt.intent))
            writer.json.field("amount", purchase.amount)
            writer.json.field("amount_captured", 0)
            writer.json.field("currency", purchase.currency)
            writer.json.field("status", attempt.status)
            writer.json.field("code", attempt.code)
            writer.nulls("decline_code")
            writer.metadata(purchase.metadata)
            writer.json.field("idempotency_key", attempt.idempotencyKey)
            writer.time("created", attempt.created)
        }
        writer.json.endObject()
        return writer.finish()
    }
}
