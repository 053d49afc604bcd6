internal import Charging
internal import HTTPServer
internal import JSONText

/// What HTTP says about a charge.
enum ChargeAnswer {
    /// The status by which an answer tells a result.
    static func status(of result: ChargeStatus) -> Int {
        switch result {
        case .succeeded, .authorized: 200
        case .declined, .requiresAction, .notCharged: 402
        case .rejected: 422
        case .refused: 409
        case .unknown, .parked: 202
        }
    }

    /// Where to ask for the charge; an id needs no percent encoding.
    static func location(_ id: ChargeID) -> String { "/v1/charges/" + id.text }

    /// A charge that is queued and has no result yet.
    static func queued(_ id: ChargeID, lane: String, acceptedAt: Int64?) -> HTTPResponse {
        var writer = JSONWriter(reserving: 192)
        writer.beginObject()
        writer.field("id", id.text)
        writer.field("status", "queued")
        writer.field("final", false)
        writer.field("lane", lane)
        writer.field("accepted_at", time: acceptedAt)
        writer.endObject()
        return HTTPResponse(202, json: writer.finish()).with("Location", location(id))
    }

    /// A result, as it came from the broker.
    static func result(_ status: ChargeStatus, id: ChargeID, body: [UInt8]) -> HTTPResponse {
        HTTPResponse(self.status(of: status), json: body).with("Location", location(id))
    }
}

/// What `/charge` says: to a buyer's app, so only what is safe to show. No decline code of the bank's, no words of
/// Stripe's for the merchant.
enum BuyerAnswer {
    static func result(_ result: ChargeResult) -> HTTPResponse {
        var writer = begin(result.id, result.status.rawValue)
        writer.fieldIfPresent("amount", result.amount)
        writer.fieldIfPresent("currency", result.currency?.code)
        if let code = result.failure?.buyerCode { writer.field("code", code) }
        writer.field("message", message(result))
        writer.endObject()
        return HTTPResponse(ChargeAnswer.status(of: result.status), json: writer.finish())
    }

    /// Not finished within the wait.
    static func pending(_ id: ChargeID) -> HTTPResponse {
        var writer = begin(id, "pending")
        writer.field("message", "Your payment is being processed.")
        writer.endObject()
        return HTTPResponse(202, json: writer.finish())
    }

    private static func begin(_ id: ChargeID, _ status: String) -> JSONWriter {
        var writer = JSONWriter(reserving: 192)
        writer.beginObject()
        writer.field("id", id.text)
        writer.field("status", status)
        return writer
    }

    private static func message(_ result: ChargeResult) -> String {
        switch result.status {
        case .succeeded: "Your payment was successful."
        case .authorized: "Your payment is authorized."
        case .declined, .requiresAction: result.failure?.buyerMessage ?? "The card was declined."
        case .rejected: "The payment could not be made. Your card was not charged."
        case .notCharged: "The payment was not made in time. Your card was not charged."
        case .refused: "This payment was already asked for with other details."
        case .unknown, .parked: "Your payment is being processed."
        }
    }
}
