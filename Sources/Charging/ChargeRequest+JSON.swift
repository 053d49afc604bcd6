internal import JSONText

extension ChargeRequest {
    /// Reads and checks the JSON body of a charge, in one pass.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - fallbackID: the AMQP `message_id`: stands in for an absent `id`, and must equal one that is there.
    ///   - flow: the flow whose limits hold.
    /// - Throws: every problem of the body.
    public init(json bytes: [UInt8], fallbackID: String? = nil, flow: Flow) throws(ChargeRequestProblems) {
        self = try ChargeDraft(json: bytes, flow: flow).finish(messageID: fallbackID)
    }

    /// The canonical body: what the API and `send` publish. Reads back as an equal request.
    public func json() -> [UInt8] {
        var writer = JSONWriter(reserving: 384)
        writer.beginObject()
        writer.field("id", id.text)
        writer.fieldIfPresent("token", token?.reveal())
        writer.field("amount", amount)
        writer.field("currency", currency.code)
        writer.fieldIfPresent("description", description)
        if !metadata.isEmpty { writer.field("metadata", metadata) }
        writer.fieldIfPresent("receipt_email", receiptEmail)
        writer.fieldIfPresent("statement_descriptor_suffix", statementDescriptorSuffix)
        writer.fieldIfPresent("customer", customer)
        if !capture { writer.field("capture", false) }
        if offSession { writer.field("off_session", true) }
        writer.fieldIfPresent("stripe_account", stripeAccount)
        if let notAfter { writer.field("not_after", time: notAfter) }
        writer.fieldIfPresent("livemode", livemode)
        writer.endObject()
        return writer.finish()
    }
}

extension JSONWriter {
    /// Metadata as an object of strings.
    mutating func field(_ name: StaticString, _ metadata: ChargeMetadata) {
        self.name(name)
        beginObject()
        for pair in metadata.pairs {
            self.name(string: pair.key)
            value(pair.value)
        }
        endObject()
    }
}

extension ChargeDraft {
    /// Reads a JSON body; what is wrong with it is in `problems`.
    public init(json bytes: [UInt8], flow: Flow) {
        self.init(flow: flow)
        var reader = JSONReader(bytes, limits: JSONLimits(depth: 16, numberLength: 1_024))
        do {
            guard try reader.peek() == .object else { throw JSONError(.wrongKind, at: reader.offset) }
            try reader.beginObject()
            while let name = try reader.nextName() { try readField(name, &reader) }
            try reader.end()
        } catch {
            breakOff(FieldProblem("", .invalidJSON, "the body is not a JSON object: \(error)"))
            // It will be kept as it is, unless something says that it holds a card number.
            if !CardNumbers.ranges(in: bytes).isEmpty {
                add(FieldProblem("", .cardNumber, "the body holds what looks like a card number"))
            }
        }
    }

    private mutating func readField(_ name: JSONName, _ reader: inout JSONReader) throws(JSONError) {
        guard let field = ChargeField(name) else { return try readOther(name, &reader) }
        guard meets(field) else { return try reader.skip() }
        if try reader.null() { return isAbsent(field) }
        switch field {
        case .amount: try readAmount(&reader)
        case .metadata: try readMetadata(&reader)
        case .capture, .offSession, .livemode:
            guard try reader.peek() == .bool else {
                add(FieldProblem(field.name, .invalidType, "\(field.name) must be true or false, without quotes"))
                return try reader.skip()
            }
            take(field, flag: try reader.bool())
        default:
            guard try reader.peek() == .string else {
                add(FieldProblem(field.name, .invalidType, "\(field.name) must be text, in quotes"))
                return try reader.skip()
            }
            let text = try reader.string()
            if text.isEmpty, field.mayBeEmpty { return isAbsent(field) }
            take(field, text: text)
        }
    }

    /// A field that no charge has: ours to refuse, unless its name begins with `x_`.
    private mutating func readOther(_ name: JSONName, _ reader: inout JSONReader) throws(JSONError) {
        let range = try reader.skipReturningRange()
        guard name.begins(with: "x_") else { return add(UnknownField.problem(name.text)) }
        if range.count > 13, !CardNumbers.ranges(in: Array(reader.bytes[range])).isEmpty {
            let shown = UnknownField.shown(name.text)
            add(FieldProblem(shown, .cardNumber, "\(shown) holds what looks like a card number: take it out"))
        }
    }

    private mutating func readAmount(_ reader: inout JSONReader) throws(JSONError) {
        do {
            take(amount: try reader.integer())
        } catch {
            // Whatever it is, what follows can still be read.
            try reader.skip()
            add(
                FieldProblem(
                    "amount", .invalidInteger,
                    "amount must be a whole number of minor units, such as 1999 for 19.99 usd: no quotes, point or exponent"
                ))
        }
    }

    private mutating func readMetadata(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .object else {
            add(
                FieldProblem(
                    "metadata", .invalidType, "metadata must be an object of texts, such as {\"order\": \"1001\"}"))
            return try reader.skip()
        }
        try reader.beginObject()
        while let key = try reader.nextName() {
            switch try reader.peek() {
            case .string: take(metadataKey: key.text, try reader.string())
            case .bool, .number:
                // Stripe keeps text only; a number stays as it was written.
                let range = try reader.skipReturningRange()
                take(metadataKey: key.text, String(decoding: reader.bytes[range], as: UTF8.self))
            case .null: try reader.skip()
            case .object, .array:
                try reader.skip()
                let name = UnknownField.shown(key.text)
                add(FieldProblem(metadataKey: name, .invalidType, "metadata[\(name)] must be text, in quotes"))
            }
        }
    }
}

extension ChargeField {
    /// Whether empty text means the same as no field, as it does at Stripe. The others need a value.
    var mayBeEmpty: Bool {
        switch self {
        case .id, .token, .amount, .currency: false
        default: true
        }
    }
}
