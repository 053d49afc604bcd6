/// The body that creates a charge at Stripe, as `application/x-www-form-urlencoded`.
///
/// Stripe compares a retry with the first request under the same idempotency key and refuses one that differs, so the
/// same request must give the same bytes on every machine, in every version: parameters in a fixed order, metadata
/// sorted by the bytes of its keys, nothing of time or chance. Another spelling is a new `encoding`; a charge keeps the
/// one it began with (header `x-chargeline-encoding`). Golden files hold the bytes.
public struct ChargeForm: Sendable {
    /// The encoding that new charges get.
    public static let currentEncoding = 1

    /// Whether this build can write `encoding`. A charge with another one is given back, for a newer worker.
    public static func knows(encoding: Int) -> Bool { encoding == currentEncoding }

    /// The body.
    public let bytes: [UInt8]
    /// 16 hex digits of SHA-256 of the body without the print itself; also sent, as `metadata[chargeline_print]`. Two
    /// charges under one id have different prints, which is how an object found at Stripe is told from a charge of
    /// someone else's.
    public var print: String { String(decoding: bytes.suffix(ChargeForm.printDigits), as: UTF8.self) }
    private static let printDigits = 16

    /// Writes the body. Ask `knows(encoding:)` first; there is one encoding so far.
    public init(_ request: ChargeRequest, flow: Flow, encoding: Int = ChargeForm.currentEncoding) {
        var writer = FormWriter(reserving: 640)
        switch flow {
        case .paymentIntents: writer.addIntent(request)
        case .charges: writer.addCharge(request)
        }
        for pair in request.metadata.pairs where !pair.value.isEmpty {
            writer.add("metadata", key: pair.key, pair.value)
        }
        writer.add("metadata[chargeline_id]", request.id.text)
        // The print is the end of the body.
        let digits = Digest.sha256HexBytes(writer.bytes, digits: ChargeForm.printDigits)
        writer.add("metadata[chargeline_print]", bytes: digits)
        bytes = writer.bytes
    }

    /// The body's bytes alone.
    public static func encode(_ request: ChargeRequest, flow: Flow, encoding: Int = currentEncoding) -> [UInt8] {
        ChargeForm(request, flow: flow, encoding: encoding).bytes
    }
}

/// The prints that a request may have been sent with: one for each flow and encoding, each made when those before it
/// were not the one.
struct ChargePrints {
    private let request: ChargeRequest
    private var made: [String] = []

    init(of request: ChargeRequest) {
        self.request = request
    }

    mutating func contain(_ print: String) -> Bool {
        if made.contains(print) { return true }
        for flow in Flow.allCases.dropFirst(made.count) {
            made.append(ChargeForm(request, flow: flow).print)
            if made.last == print { return true }
        }
        return false
    }
}

extension FormWriter {
    /// One call that creates and confirms; it fails rather than wait for a buyer who is not there, and offers cards
    /// only, so that no `return_url` is needed.
    fileprivate mutating func addIntent(_ request: ChargeRequest) {
        add("amount", request.amount)
        add("currency", request.currency.code)
        add("confirm", true)
        add("payment_method_types[0]", "card")
        if let token = request.token {
            if token.kind == .token {
                add("payment_method_data[type]", "card")
                add("payment_method_data[card][token]", token.reveal())
            } else {
                add("payment_method", token.reveal())
            }
        }
        addIfPresent("customer", request.customer)
        add("capture_method", request.capture ? "automatic" : "manual")
        add("error_on_requires_action", true)
        if request.offSession { add("off_session", true) }
        addTexts(request)
        add("expand[0]", "latest_charge")
    }

    /// The older API.
    fileprivate mutating func addCharge(_ request: ChargeRequest) {
        add("amount", request.amount)
        add("currency", request.currency.code)
        if let token = request.token { add("source", token.reveal()) }
        addIfPresent("customer", request.customer)
        add("capture", request.capture)
        addTexts(request)
    }

    private mutating func addTexts(_ request: ChargeRequest) {
        addIfPresent("description", request.description)
        addIfPresent("receipt_email", request.receiptEmail)
        addIfPresent("statement_descriptor_suffix", request.statementDescriptorSuffix)
    }

    private mutating func addIfPresent(_ name: StaticString, _ text: String?) {
        if let text { add(name, text) }
    }
}
