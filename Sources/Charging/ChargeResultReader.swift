internal import JSONText

/// The fields of a result as they are met.
struct ChargeResultReader {
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
        _ take: (inout ChargeResultReader, String) throws(JSONError) -> Void
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
