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

    /// Reads the body of a result's message, of this version or a later one: fields that are not known are passed over, and a field of
    /// another kind than expected counts as absent.
    ///
    /// - Throws: a `ChargeResultFault`, when it is no JSON object or lacks a valid `id`, `status` or `completed_at`.
    public init(json bytes: [UInt8]) throws(ChargeResultFault) {
        var reader = ResultReader(bytes)
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

/// Why bytes are not a result.
public enum ChargeResultFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a JSON object; with the reader's words, which repeat nothing of the bytes.
    case notJSON(String)
    /// A field without which it says nothing is absent or not valid.
    case lacks(String)

    /// One line for a log.
    public var description: String {
        switch self {
        case .notJSON(let words): "not a result: \(words)"
        case .lacks(let field): "not a result: \(field) is absent or not valid"
        }
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

/// The fields of a result as they are met.
private struct ResultReader {
    var reader: JSONReader
    var id, event, status, currency, lane, correlationID, caller, receiptEmail, customer: String?
    var amount, acceptedAt, completedAt: Int64?
    var attempts = 0
    var replayed = false
    var metadata: [ChargeMetadata.Pair] = []
    var stripe = StripeReference()
    var failure: ChargeFailure?

    init(_ bytes: [UInt8]) {
        reader = JSONReader(bytes)
    }

    mutating func read() throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextName() { try readField(name.text) }
        try reader.end()
    }

    private mutating func readField(_ name: String) throws(JSONError) {
        switch name {
        case "id": id = try text()
        case "event": event = try text()
        case "status": status = try text()
        case "currency": currency = try text()
        case "lane": lane = try text()
        case "correlation_id": correlationID = try text()
        case "caller": caller = try text()
        case "receipt_email": receiptEmail = try text()
        case "customer": customer = try text()
        case "amount": amount = try integer()
        case "attempts": attempts = Int(clamping: try integer() ?? 0)
        case "replayed": replayed = try flag() ?? false
        case "accepted_at": acceptedAt = try text().flatMap(RFC3339.parse)
        case "completed_at": completedAt = try text().flatMap(RFC3339.parse)
        case "metadata":
            try eachMember { (reader, key) throws(JSONError) in
                if let value = try reader.text() { reader.metadata.append(ChargeMetadata.Pair(key: key, value: value)) }
            }
        case "stripe": try readStripe()
        case "failure": try readFailure()
        default: try reader.skip()
        }
    }

    private mutating func readStripe() throws(JSONError) {
        try eachMember { (reader, key) throws(JSONError) in
            switch key {
            case "payment_intent": reader.stripe.paymentIntent = try reader.text()
            case "charge": reader.stripe.charge = try reader.text()
            case "request_id": reader.stripe.requestID = try reader.text()
            case "livemode": reader.stripe.livemode = try reader.flag()
            case "receipt_url": reader.stripe.receiptURL = try reader.text()
            default: try reader.reader.skip()
            }
        }
    }

    private mutating func readFailure() throws(JSONError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        var read = ChargeFailure(code: "", message: "")
        failure = read
        try eachMember { (reader, key) throws(JSONError) in
            switch key {
            case "code": read.code = try reader.text() ?? ""
            case "decline_code": read.declineCode = try reader.text()
            case "advice": read.advice = try reader.text()
            case "message": read.message = try reader.text() ?? ""
            case "buyer_code": read.buyerCode = try reader.text()
            case "buyer_message": read.buyerMessage = try reader.text()
            case "param": read.param = try reader.text()
            default: try reader.reader.skip()
            }
        }
        failure = read
    }

    /// Calls back for every member of the object that comes next; anything else is passed over.
    private mutating func eachMember(
        _ take: (inout ResultReader, String) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard try reader.peek() == .object else { return try reader.skip() }
        try reader.beginObject()
        while let name = try reader.nextName() { try take(&self, name.text) }
    }

    private mutating func text() throws(JSONError) -> String? {
        if try reader.peek() == .string { return try reader.string() }
        try reader.skip()
        return nil
    }

    private mutating func integer() throws(JSONError) -> Int64? {
        do { return try reader.integer() } catch {}
        try reader.skip()
        return nil
    }

    private mutating func flag() throws(JSONError) -> Bool? {
        if try reader.peek() == .bool { return try reader.bool() }
        try reader.skip()
        return nil
    }
}
