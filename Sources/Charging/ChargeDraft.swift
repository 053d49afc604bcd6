internal import JSONText

/// A charge request while it is being read: fields in any order, every problem kept, nothing thrown before the end.
///
/// `ChargeRequest(json:…)` and `ChargeRequest(form:…)` use it. Use it directly where the id is to come from elsewhere
/// once the rest is read (an `Idempotency-Key`, a one-time token), or where fields come one by one (a row of a CSV
/// file).
public struct ChargeDraft: Sendable {
    /// Past this many problems the rest are not kept: outside bytes must not decide how long an answer gets.
    private static let problemsKept = 64

    /// The flow whose limits hold.
    public let flow: Flow
    /// What is wrong so far, in the order it was met.
    public private(set) var problems: [FieldProblem] = []
    /// The id, once one was read; may be set where it comes from elsewhere.
    public var id: ChargeID?
    /// What pays, once it was read.
    public private(set) var token: CardToken?

    private var amount: Int64?
    private var currency: Currency?
    private var description: String?
    private var pairs: [ChargeMetadata.Pair] = []
    private var receiptEmail: String?
    private var statementDescriptorSuffix: String?
    private var customer: String?
    private var capture = true
    private var offSession = false
    private var stripeAccount: String?
    private var notAfter: Int64?
    private var livemode: Bool?

    // Sets of fields as bits: those whose name stood there, and those of them that have a value, right or wrong: a
    // field that is wrong is not also missing.
    private var named: UInt16 = 0
    private var met: UInt16 = 0
    /// Whether the body broke off, so that what is absent says nothing.
    private var isBroken = false

    /// An empty draft.
    public init(flow: Flow) {
        self.flow = flow
    }

    /// Whether the body named an id, right or wrong: then none is to be made up.
    public var namesID: Bool { met & ChargeField.id.bit != 0 }

    /// Checks what belongs together and makes the request.
    ///
    /// - Parameter messageID: the AMQP `message_id`: stands in for an absent id, and must equal one that is there.
    /// - Throws: every problem of the body.
    public consuming func finish(messageID: String? = nil) throws(ChargeRequestProblems) -> ChargeRequest {
        settleID(messageID)
        if !isBroken { checkTogether() }
        guard problems.isEmpty, let id, let amount, let currency else {
            throw ChargeRequestProblems(id: id, problems: problems)
        }
        return ChargeRequest(
            id: id, token: token, amount: amount, currency: currency, description: description,
            metadata: ChargeMetadata(pairs), receiptEmail: receiptEmail,
            statementDescriptorSuffix: statementDescriptorSuffix, customer: customer, capture: capture,
            offSession: offSession, stripeAccount: stripeAccount, notAfter: notAfter, livemode: livemode)
    }

    private mutating func settleID(_ messageID: String?) {
        if let messageID, !messageID.isEmpty {
            if let id {
                if !id.text.utf8.elementsEqual(messageID.utf8) {
                    add(FieldProblem("id", .idMismatch, "id is not the message_id of the message: make them equal"))
                }
            } else {
                take(.id, text: messageID)
                met |= ChargeField.id.bit
            }
        }
        if !namesID, id == nil, !isBroken {
            add(
                FieldProblem(
                    "id", .missing, "id is missing: name the charge, so that a second message for it moves no money"))
        }
    }

    private mutating func checkTogether() {
        if let amount {
            add(ChargeRules.amount(amount, currency))
        } else if met & ChargeField.amount.bit == 0 {
            add(
                FieldProblem(
                    "amount", .missing,
                    "amount is missing: send a whole number of minor units, such as 1999 for 19.99 usd"))
        }
        if met & ChargeField.currency.bit == 0 {
            add(FieldProblem("currency", .missing, "currency is missing: send its three letters, such as usd"))
        }
        if pairs.count > ChargeMetadata.maximumCount {
            add(FieldProblem("metadata", .tooMany, "metadata has too many pairs: 48 fit"))
        }
        if met & ChargeField.token.bit == 0 || token != nil, met & ChargeField.customer.bit == 0 || customer != nil {
            for problem in ChargeRules.together(token: token, customer: customer, offSession: offSession, flow: flow) {
                add(problem)
            }
        }
        guard pairs.count > 1 else { return }
        let sorted = ChargeMetadata(pairs).pairs
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.key.utf8.elementsEqual(next.key.utf8) {
            let name = UnknownField.shown(one.key)
            add(FieldProblem(metadataKey: name, .doubled, "metadata[\(name)] stands there twice"))
        }
    }
}

// What readers of a body put in. Kept in this file because the fields are nobody else's.
extension ChargeDraft {
    /// Notes a problem, if there is one.
    mutating func add(_ problem: FieldProblem?) {
        if let problem, problems.count < ChargeDraft.problemsKept { problems.append(problem) }
    }

    /// Notes that the body cannot be read any further.
    mutating func breakOff(_ problem: FieldProblem) {
        add(problem)
        isBroken = true
    }

    /// Notes that a field was met; false, with a problem, when it was met before.
    mutating func meets(_ field: ChargeField) -> Bool {
        guard named & field.bit == 0 else {
            add(FieldProblem(field.name, .doubled, "\(field.name) stands there twice: which of the two is meant?"))
            return false
        }
        named |= field.bit
        met |= field.bit
        return true
    }

    /// Unmeets a field that is null or empty, which is the same as absent.
    mutating func isAbsent(_ field: ChargeField) {
        met &= ~field.bit
    }

    mutating func take(amount value: Int64) {
        amount = value
    }

    mutating func take(_ field: ChargeField, flag: Bool) {
        switch field {
        case .capture: capture = flag
        case .offSession: offSession = flag
        default: livemode = flag
        }
    }

    mutating func take(metadataKey key: String, _ value: String) {
        if let problem = ChargeRules.metadata(key: key, value: value) { return add(problem) }
        pairs.append(ChargeMetadata.Pair(key: key, value: value))
    }

    /// A field that is text.
    mutating func take(_ field: ChargeField, text: String) {
        do throws(FieldProblem) {
            switch field {
            case .id:
                let value = try ChargeID(validating: text)
                if let problem = ChargeRules.id(value) { throw problem }
                id = value
            case .token: token = try CardToken(validating: text)
            case .currency:
                guard let value = Currency(text) else {
                    throw FieldProblem(
                        "currency", .invalidFormat,
                        "currency must be the three letters of one that Stripe charges in, such as usd")
                }
                currency = value
            case .notAfter:
                guard let value = RFC3339.parse(text) else {
                    throw FieldProblem(
                        "not_after", .invalidFormat,
                        "not_after must be a time as in RFC 3339, such as 2026-01-02T03:04:05Z")
                }
                notAfter = value
            default: try take(checked: field, text)
            }
        } catch {
            add(error)
        }
    }

    private mutating func take(checked field: ChargeField, _ text: String) throws(FieldProblem) {
        var problem: FieldProblem?
        switch field {
        case .description:
            problem = ChargeRules.description(text, flow: flow)
            description = text
        case .receiptEmail:
            problem = ChargeRules.receiptEmail(text)
            receiptEmail = text
        case .statementDescriptorSuffix:
            problem = ChargeRules.statementDescriptorSuffix(text, flow: flow)
            statementDescriptorSuffix = text
        case .customer:
            problem = ChargeRules.stripeID(text, prefix: "cus_", field: field)
            customer = text
        default:
            problem = ChargeRules.stripeID(text, prefix: "acct_", field: field)
            stripeAccount = text
        }
        if let problem { throw problem }
    }
}
