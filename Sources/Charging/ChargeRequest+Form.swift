extension ChargeRequest {
    /// Reads and checks a body of `application/x-www-form-urlencoded`, with the same fields as the JSON body and
    /// `metadata[key]`.
    ///
    /// - Throws: every problem of the body.
    public init(form bytes: [UInt8], fallbackID: String? = nil, flow: Flow) throws(ChargeRequestProblems) {
        self = try ChargeDraft(form: bytes, flow: flow).finish(messageID: fallbackID)
    }
}

extension ChargeDraft {
    /// Reads a form body; what is wrong with it is in `problems`.
    public init(form bytes: [UInt8], flow: Flow) {
        self.init(flow: flow)
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            guard let name = FormText.decoded(field[..<equals]),
                let value = FormText.decoded(field[equals...].dropFirst())
            else {
                breakOff(
                    FieldProblem(
                        "", .invalidForm, "the body is not a form in UTF-8: a percent escape or a character is broken"))
                if !CardNumbers.ranges(in: bytes).isEmpty {
                    add(FieldProblem("", .cardNumber, "the body holds what looks like a card number"))
                }
                return
            }
            set(name, to: value)
        }
    }

    /// Sets one field from text, as forms and CSV files have it: `amount` in digits, flags as `true` or `false`,
    /// metadata as `metadata[key]`. Empty text is an absent field.
    public mutating func set(_ name: String, to text: String) {
        if name.hasPrefix("metadata["), name.hasSuffix("]") {
            let key = String(name.dropFirst("metadata[".count).dropLast())
            return take(metadataKey: key, text)
        }
        guard let field = ChargeField(named: name), field != .metadata else {
            if !name.hasPrefix("x_") {
                add(name == "metadata" ? ChargeDraft.bareMetadata : UnknownField.problem(name))
            } else if CardNumbers.isPresent(in: text) {
                let shown = UnknownField.shown(name)
                add(FieldProblem(shown, .cardNumber, "\(shown) holds what looks like a card number: take it out"))
            }
            return
        }
        guard meets(field) else { return }
        guard !text.isEmpty else { return isAbsent(field) }
        switch field {
        case .amount: setAmount(text)
        case .capture, .offSession, .livemode:
            guard text == "true" || text == "false" else {
                return add(FieldProblem(field.name, .invalidType, "\(field.name) must be true or false"))
            }
            take(field, flag: text == "true")
        default: take(field, text: text)
        }
    }

    private static let bareMetadata = FieldProblem(
        "metadata", .invalidType, "metadata goes into a form pair by pair, such as metadata[order]=1001")

    private mutating func setAmount(_ text: String) {
        guard text.utf8.allSatisfy(CardNumbers.isDigit), let amount = Int64(text) else {
            return add(
                FieldProblem(
                    "amount", .invalidInteger,
                    "amount must be a whole number of minor units in digits, such as 1999 for 19.99 usd"))
        }
        take(amount: amount)
    }
}
