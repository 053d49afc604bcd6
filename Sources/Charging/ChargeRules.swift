/// The rules of single fields: each says what is wrong with a value, or nil. From Stripe's limits as its documentation
/// gives them, so that what Stripe would refuse is refused before it is queued.
enum ChargeRules {
    /// Limits in characters.
    static let metadataKey = 40, metadataValue = 500, suffix = 22, email = 254

    private static let notInAddress = ByteSet(" ,;:<>()[]\\\"")
    private static let notInSuffix = ByteSet("<>\\'\"*")
    private static let idCharacters = ByteSet.lettersDigits(and: "_")
    private static let brackets = ByteSet("[]")

    /// An id that reads as a card number or a token would be repeated in every log.
    static func id(_ id: ChargeID) -> FieldProblem? {
        hidden("id", TextScan(id.text), id.text).map { FieldProblem("id", $0.code, $0.message) }
    }

    static func description(_ text: String, flow: Flow) -> FieldProblem? {
        let scan = TextScan(text)
        if scan.scalars > flow.maximumDescription {
            return FieldProblem(
                "description", .tooLong,
                "description is too long: it may have at most \(flow.maximumDescription) characters")
        }
        if scan.hasControl {
            return FieldProblem(
                "description", .invalidCharacters, "description may hold no control characters but line breaks and tabs"
            )
        }
        return hidden("description", scan, text)
    }

    /// `name@domain`, the domain with a point in it; the mail server is the judge of the rest.
    static func receiptEmail(_ text: String) -> FieldProblem? {
        let scan = TextScan(text)
        if let problem = hidden("receipt_email", scan, text) { return problem }
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let isAddress =
            scan.scalars <= email && !scan.hasControl && !scan.hasBreak && parts.count == 2 && !parts[0].isEmpty
            && parts[1].count >= 3 && parts[1].dropFirst().dropLast().contains(UInt8(ascii: "."))
            && parts[1].first != UInt8(ascii: ".") && parts[1].last != UInt8(ascii: ".")
            && !notInAddress.meets(text)
        guard !isAddress else { return nil }
        return FieldProblem(
            "receipt_email", .invalidFormat, "receipt_email must be one e-mail address, such as buyer@example.com")
    }

    static func statementDescriptorSuffix(_ text: String, flow: Flow) -> FieldProblem? {
        let field = "statement_descriptor_suffix"
        let scan = TextScan(text)
        if let problem = hidden(field, scan, text) { return problem }
        if scan.scalars > suffix {
            return FieldProblem(
                field, .tooLong, "\(field) is too long: it may have at most 22 characters, fewer with a long prefix")
        }
        // The charges API refuses a comma too (change of 2019-02-19).
        let hasComma = flow == .charges && text.utf8.contains(UInt8(ascii: ","))
        let isLatin =
            scan.scalars == text.utf8.count
            || text.unicodeScalars.allSatisfy { $0.isASCII || (0xC0...0x24F).contains($0.value) }
        if !isLatin || hasComma || scan.hasBreak || scan.hasControl || notInSuffix.meets(text) {
            let signs = flow == .charges ? "< > \\ ' \" * and comma" : "< > \\ ' \" and *"
            return FieldProblem(
                field, .invalidCharacters, "\(field) may hold Latin letters, digits and signs other than \(signs)")
        }
        guard text.utf8.contains(where: CardNumbers.isLetter) else {
            return FieldProblem(field, .invalidFormat, "\(field) must hold at least one Latin letter")
        }
        return nil
    }

    /// `cus_…` and `acct_…`. The second becomes a header, so its characters matter.
    static func stripeID(_ text: String, prefix: String, field: ChargeField) -> FieldProblem? {
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        let isID =
            text.hasPrefix(prefix) && !rest.isEmpty && text.utf8.count <= 255
            && idCharacters.holds(text)
        if isID { return hidden(field.name, TextScan(text), text) }
        return FieldProblem(field.name, .invalidFormat, "\(field.name) must be a Stripe id that begins with \(prefix)")
    }

    static func metadata(key: String, value: String) -> FieldProblem? {
        var name: String { UnknownField.shown(key) }
        func problem(_ code: FieldProblem.Code, _ message: String) -> FieldProblem {
            FieldProblem(metadataKey: name, code, message)
        }
        let keyScan = TextScan(key)
        if key.isEmpty { return problem(.missing, "a metadata key is empty") }
        if keyScan.scalars > metadataKey {
            return problem(.tooLong, "a metadata key is too long: it may have at most 40 characters")
        }
        if keyScan.hasControl || keyScan.hasBreak || brackets.meets(key) {
            return problem(.invalidCharacters, "a metadata key may hold no brackets and no control characters")
        }
        if keyScan.hasUnderscore, key.hasPrefix(ChargeMetadata.reservedPrefix) {
            return problem(.reserved, "metadata[\(name)]: keys that begin with chargeline_ are ours")
        }
        if isSecurityCode(key) {
            return problem(.cardNumber, "metadata[\(name)]: a card's security code may be kept nowhere")
        }
        if let hidden = hidden("metadata", keyScan, key) {
            return problem(hidden.code, "a metadata key: \(hidden.message)")
        }
        let scan = TextScan(value)
        if scan.scalars > metadataValue {
            return problem(.tooLong, "metadata[\(name)] is too long: it may have at most 500 characters")
        }
        if scan.hasControl {
            return problem(
                .invalidCharacters, "metadata[\(name)] may hold no control characters but line breaks and tabs")
        }
        return hidden("metadata[\(name)]", scan, value).map { problem($0.code, $0.message) }
    }

    private static func isSecurityCode(_ key: String) -> Bool {
        switch key {
        case "cvc", "cvv", "cvc2", "cvv2": true
        default: false
        }
    }

    /// What may stand in no text, because results, logs and Stripe's dashboard repeat it.
    static func hidden(_ name: @autoclosure () -> String, _ scan: TextScan, _ text: String) -> FieldProblem? {
        if scan.digits >= 13, CardNumbers.isPresent(in: text) {
            let field = name()
            return FieldProblem(field, .cardNumber, "\(field) holds what looks like a card number: take it out")
        }
        if scan.hasUnderscore, Scrubber.holdsKeyOrToken(text) {
            let field = name()
            return FieldProblem(
                field, .secret, "\(field) holds a secret key or a token, which results would repeat: take it out")
        }
        return nil
    }
}
