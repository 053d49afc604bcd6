/// A value of a message header, as chargeline writes them: counts and times are 64-bit integers, the rest is text.
public enum HeaderValue: Sendable, Equatable {
    /// Milliseconds since 1970, or a count.
    case int(Int64)
    /// Text.
    case text(String)
}

/// What the next visit does with a charge.
public enum Phase: String, Sendable, Equatable {
    /// Send it.
    case charge
    /// It may have moved money: look it up.
    case lookup
}

/// Why Stripe rejected a charge, as a header carries it: code and parameter with a space between, either of them empty.
public struct Rejection: Sendable, Equatable {
    /// Stripe's code.
    public var code: String?
    /// Stripe's parameter.
    public var param: String?

    /// Makes one.
    public init(code: String?, param: String?) {
        self.code = code
        self.param = param
    }

    init(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        code = parts.first.flatMap { $0.isEmpty ? nil : String($0) }
        param = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    var text: String { (code ?? "") + " " + (param ?? "") }
}

/// All that earlier visits learned about a charge, carried by its message. Named and typed here and nowhere else.
public struct ChargeHeaders: Sendable, Equatable {
    /// When chargeline accepted the charge, ms since 1970.
    public var accepted: Int64?
    /// The first send that may have left, ms since 1970. Once set it is never cleared: the charge may have been sent.
    public var firstSent: Int64?
    /// The latest such send.
    public var lastSent: Int64?
    /// Sends that Stripe answered or may have acted on; waiting for a quota or a connection spends none.
    public var attempts: Int
    /// Look-ups that found nothing yet.
    public var lookups: Int
    /// What the next visit does.
    public var phase: Phase
    /// The API the first send used; a retry uses it again.
    public var flow: Flow?
    /// How the first send was encoded; a retry is byte-identical.
    public var encoding: Int?
    /// Stripe rejected it, by this code and parameter, when it may have been sent before: its end, once it is proven
    /// that nothing was made.
    public var rejection: Rejection?
    /// Since when the charge's key is known to belong to a request at Stripe, ms since 1970.
    public var keyTaken: Int64?
    /// Which of the API's callers asked.
    public var caller: String?
    /// How often the charge came back from a worker that died with it.
    public var suspect: Int
    /// W3C trace context of the caller.
    public var traceparent: String?

    /// Headers of a charge that nobody has touched yet.
    public init(accepted: Int64? = nil) {
        self.accepted = accepted
        attempts = 0
        lookups = 0
        phase = .charge
        suspect = 0
    }

    /// The names, as they stand on the wire.
    public enum Name {
        /// `accepted`
        public static let accepted = "x-chargeline-accepted"
        /// `firstSent`
        public static let firstSent = "x-chargeline-first-sent"
        /// What the name of each of ours begins with.
        public static let prefix = "x-chargeline-"
        /// `lastSent`
        public static let lastSent = "x-chargeline-last-sent"
        /// `attempts`
        public static let attempts = "x-chargeline-attempts"
        /// `lookups`
        public static let lookups = "x-chargeline-lookups"
        /// `phase`
        public static let phase = "x-chargeline-phase"
        /// `flow`
        public static let flow = "x-chargeline-flow"
        /// `encoding`
        public static let encoding = "x-chargeline-encoding"
        /// `rejection`
        public static let rejected = "x-chargeline-rejected"
        /// `keyTaken`
        public static let keyTaken = "x-chargeline-key-taken"
        /// `caller`
        public static let caller = "x-chargeline-caller"
        /// `suspect`
        public static let suspect = "x-chargeline-suspect"
        /// The publish's sequence number on its channel, to match a returned message; written by the broker client.
        public static let publish = "x-chargeline-publish"
        /// Why a message was parked.
        public static let reason = "x-chargeline-reason"
        /// W3C trace context.
        public static let traceparent = "traceparent"
    }

    /// Takes one header of a received message; one that is not ours, or of another type than ours, is ignored.
    ///
    /// - Returns: false for a header of ours whose value cannot be understood: the message is not read then, since what
    ///   earlier visits learned would be lost.
    public mutating func take(_ name: String, _ value: HeaderValue) -> Bool {
        switch (name, value) {
        case (Name.accepted, .int(let number)): accepted = number
        case (Name.firstSent, .int(let number)): firstSent = number
        case (Name.lastSent, .int(let number)): lastSent = number
        case (Name.attempts, .int(let number)): attempts = Int(clamping: max(0, number))
        case (Name.lookups, .int(let number)): lookups = Int(clamping: max(0, number))
        case (Name.encoding, .int(let number)): encoding = Int(clamping: number)
        case (Name.suspect, .int(let number)): suspect = Int(clamping: max(0, number))
        case (Name.phase, .text(let text)):
            guard let known = Phase(rawValue: text) else { return false }
            phase = known
        case (Name.flow, .text(let text)):
            guard let known = Flow(rawValue: text) else { return false }
            flow = known
        case (Name.keyTaken, .int(let number)): keyTaken = number
        case (Name.rejected, .text(let text)): rejection = Rejection(text: text)
        case (Name.caller, .text(let text)): caller = text
        case (Name.traceparent, .text(let text)): traceparent = text
        case (Name.accepted, _), (Name.firstSent, _), (Name.lastSent, _), (Name.attempts, _), (Name.lookups, _),
            (Name.encoding, _), (Name.suspect, _), (Name.phase, _), (Name.flow, _), (Name.rejected, _),
            (Name.keyTaken, _):
            return false
        default: break
        }
        return true
    }

    /// Calls `write` for each header that has something to say, in a fixed order.
    public func forEach(_ write: (String, HeaderValue) -> Void) {
        if let accepted { write(Name.accepted, .int(accepted)) }
        if let firstSent { write(Name.firstSent, .int(firstSent)) }
        if let lastSent { write(Name.lastSent, .int(lastSent)) }
        if attempts > 0 { write(Name.attempts, .int(Int64(attempts))) }
        if lookups > 0 { write(Name.lookups, .int(Int64(lookups))) }
        if phase != .charge { write(Name.phase, .text(phase.rawValue)) }
        if let flow { write(Name.flow, .text(flow.rawValue)) }
        if let encoding { write(Name.encoding, .int(Int64(encoding))) }
        if let keyTaken { write(Name.keyTaken, .int(keyTaken)) }
        if let rejection { write(Name.rejected, .text(rejection.text)) }
        if let caller { write(Name.caller, .text(caller)) }
        if suspect > 0 { write(Name.suspect, .int(Int64(suspect))) }
        if let traceparent { write(Name.traceparent, .text(traceparent)) }
    }
}
