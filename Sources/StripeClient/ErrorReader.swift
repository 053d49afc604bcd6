internal import Charging
internal import JSONText

/// Reads Stripe's error object. Its message is scrubbed here: nothing of Stripe's own words leaves this module
/// otherwise.
enum ErrorReader {
    /// An error object, or nil for `null` and anything else in its place.
    static func readIfPresent(_ json: inout JSONReader) throws(JSONError) -> StripeError? {
        guard try json.entersObject() else { return nil }
        var error = StripeError(type: "")
        while let name = try json.nextName() { try readField(name, &json, &error) }
        return error.type.isEmpty ? nil : error
    }

    private static func readField(
        _ name: JSONName, _ json: inout JSONReader, _ error: inout StripeError
    ) throws(JSONError) {
        if name.matches("type") {
            error.type = try text(&json) ?? ""
        } else if name.matches("code") {
            error.code = try text(&json)
        } else if name.matches("decline_code") {
            error.declineCode = try text(&json)
        } else if name.matches("advice_code") {
            error.advice = try text(&json)
        } else if name.matches("message") {
            error.message = try text(&json)
        } else if name.matches("param") {
            error.param = try text(&json)
        } else if name.matches("charge") {
            error.chargeID = try json.idOrNil()
        } else if name.matches("payment_intent") {
            error.paymentIntent = try readReference(&json)
        } else {
            try json.skip()
        }
    }

    private static func readReference(_ json: inout JSONReader) throws(JSONError) -> StripeObjectReference? {
        guard try json.peek() == .object else {
            return try json.stringOrNil().map { StripeObjectReference(id: $0, status: nil) }
        }
        var id: String?
        var status: String?
        try json.beginObject()
        while let name = try json.nextName() {
            if name.matches("id") {
                id = try json.stringOrNil()
            } else if name.matches("status") {
                status = try text(&json)
            } else {
                try json.skip()
            }
        }
        return id.map { StripeObjectReference(id: $0, status: status) }
    }

    private static func text(_ json: inout JSONReader) throws(JSONError) -> String? {
        try json.stringOrNil().map(safe)
    }

    /// A text without tokens, keys, client secrets and card numbers, and of bounded length.
    static func safe(_ text: String) -> String {
        let scrubbed = Scrubber.scrub(text)
        return scrubbed.utf8.count <= 1000 ? scrubbed : String(scrubbed.prefix(1000))
    }
}
