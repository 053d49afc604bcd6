extension ChargeFailure {
    /// Why a charge that ended at Stripe did not succeed; nil when it did.
    init?(_ end: ChargeEnd, of request: ChargeRequest) {
        switch end.status {
        case .succeeded, .authorized: return nil
        case .declined, .requiresAction:
            let code = end.error?.code ?? end.code ?? "card_declined"
            self.init(
                code: code, declineCode: end.error?.declineCode, advice: end.error?.advice,
                message: end.error?.message ?? "The card was declined.", param: end.error?.param)
        case .rejected:
            self.init(
                code: end.error?.code ?? end.error?.type ?? "rejected",
                message: end.error?.message ?? "Stripe rejected the request.",
                param: end.error?.param.map { StripeParameter.field(of: $0, in: request) ?? $0 })
        default:
            let code = end.code ?? "not_charged"
            self.init(code: code, message: Self.explanation(of: code))
        }
    }

    /// Everything that is wrong with a message, the first fault leading.
    init(problems: [FieldProblem]) {
        self.init(
            code: problems.first?.code.rawValue ?? "invalid", message: problems.map(\.message).joined(separator: "; "),
            param: problems.first.map(\.field).flatMap { $0.isEmpty ? nil : $0 })
    }

    private static func explanation(of code: String) -> String {
        switch code {
        case "expired": "The charge could not be sent before its not_after; no money moved and none will."
        case "not_sent": "The charge was never executed at Stripe; no money moved and none will."
        case "canceled": "The payment was canceled at Stripe; no money moved and none will."
        default: "No money moved and none will."
        }
    }
}
