internal import Charging
internal import JSONText

/// A result as one line.
enum ResultLine {
    /// For people: `2026-01-02T03:04:05.678Z  order-1001  succeeded  19.99 usd  checkout  pi_…`.
    static func text(_ result: ChargeResult) -> String {
        var parts = [
            RFC3339.text(milliseconds: result.completedAt), result.id.text, result.status.rawValue,
        ]
        if let amount = result.amount, let currency = result.currency {
            parts.append(AmountText.text(amount, currency))
        }
        if !result.lane.isEmpty { parts.append(result.lane) }
        if let object = result.stripe.paymentIntent ?? result.stripe.charge { parts.append(object) }
        if let failure = result.failure {
            let code = failure.declineCode ?? failure.code
            parts.append(failure.message.isEmpty ? code : "\(code): \(failure.message)")
        }
        return Shown.line(parts.joined(separator: "  "))
    }

    /// For programs: the body as it came, on one line; a later version may have fields that this one does not know.
    static func json(_ body: [UInt8]) -> [UInt8] {
        // In JSON, line breaks stand between values only.
        body.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    /// A message on the results exchange that is no result.
    static func unreadable(_ body: [UInt8], isJSON: Bool, because fault: ChargeResultFault) -> [UInt8] {
        let shown = Shown.line(String(decoding: body.prefix(1000), as: UTF8.self))
        guard isJSON else { return Array("(\(fault))  \(shown)".utf8) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("unreadable", fault.description)
        writer.field("body", shown)
        writer.endObject()
        return writer.finish()
    }

    /// The line for a message.
    static func bytes(_ body: [UInt8], isJSON: Bool) -> [UInt8] {
        do throws(ChargeResultFault) {
            let result = try ChargeResult(json: body)
            return isJSON ? json(body) : Array(text(result).utf8)
        } catch {
            // What another version says, or the record of a discarded message, is for the program to read.
            if isJSON, case .lacks = error { return json(body) }
            return unreadable(body, isJSON: isJSON, because: error)
        }
    }
}
