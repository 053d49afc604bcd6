internal import JSONText

extension ChargeResult {
    /// The body of the result's message.
    public func json() -> [UInt8] {
        var writer = JSONWriter(reserving: 896)
        writer.beginObject()
        writer.field("version", ChargeResult.version)
        writer.field("event", event)
        writer.field("id", id.text)
        writer.field("sequence", sequence)
        writer.field("final", isFinal)
        writer.field("status", status.rawValue)
        writer.field("amount", amount)
        writer.field("currency", currency?.code)
        writer.field("lane", lane)
        writer.field("metadata", metadata)
        writer.field("correlation_id", correlationID)
        writer.field("caller", caller)
        writer.field("receipt_email", receiptEmail)
        writer.field("customer", customer)
        writer.name("stripe")
        writer.beginObject()
        writer.field("payment_intent", stripe.paymentIntent)
        writer.field("charge", stripe.charge)
        writer.field("request_id", stripe.requestID)
        writer.field("livemode", stripe.livemode)
        writer.field("receipt_url", stripe.receiptURL)
        writer.endObject()
        writer.name("failure")
        if let failure { writer.value(failure) } else { writer.null() }
        writer.field("attempts", attempts)
        writer.field("replayed", replayed)
        writer.field("accepted_at", time: acceptedAt)
        writer.field("completed_at", time: completedAt)
        writer.endObject()
        return writer.finish()
    }

    /// Reads the body of a result's message, of this version or a later one: fields that are not known are passed over,
    /// and a field of another kind than expected counts as absent.
    ///
    /// - Throws: a `ChargeResultFault`, when it is no JSON object or lacks a valid `id`, `status` or `completed_at`.
    public init(json bytes: [UInt8]) throws(ChargeResultFault) {
        var reader = ChargeResultReader(bytes)
        do { try reader.read() } catch { throw .notJSON("\(error)") }
        guard let id = reader.id.flatMap({ try? ChargeID(validating: $0) }) else { throw .lacks("id") }
        guard let status = reader.status.flatMap(ChargeStatus.init) else { throw .lacks("status") }
        guard let completedAt = reader.completedAt else { throw .lacks("completed_at") }
        self.init(
            id: id, status: status, event: reader.event, lane: reader.lane ?? "", correlationID: reader.correlationID,
            caller: reader.caller, stripe: reader.stripe, failure: reader.failure, attempts: reader.attempts,
            replayed: reader.replayed, acceptedAt: reader.acceptedAt, completedAt: completedAt)
        amount = reader.amount
        currency = reader.currency.flatMap(Currency.init)
        metadata = ChargeMetadata(reader.metadata)
        receiptEmail = reader.receiptEmail
        customer = reader.customer
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ failure: ChargeFailure) {
        beginObject()
        field("code", failure.code)
        field("decline_code", failure.declineCode)
        field("advice", failure.advice)
        field("message", failure.message)
        field("buyer_code", failure.buyerCode)
        field("buyer_message", failure.buyerMessage)
        field("param", failure.param)
        endObject()
    }
}
