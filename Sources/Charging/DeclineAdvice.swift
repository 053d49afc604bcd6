/// What a buyer may be told about a decline. Stripe asks that lost, stolen and suspected cards be shown as an ordinary
/// decline (docs.stripe.com/declines/codes), so the codes that may be shown are listed, and every other, new ones
/// included, is `generic_decline`.
public enum DeclineAdvice {
    /// The code for every decline whose true reason is not the buyer's to know.
    public static let genericCode = "generic_decline"

    /// The code and the sentence that may be shown, from Stripe's `decline_code`, or its `code` where there is none.
    public static func forBuyer(code: String, declineCode: String?) -> (code: String, message: String) {
        let reason = declineCode ?? code
        if let message = message(for: reason) { return (reason, message) }
        return (genericCode, "The card was declined. Please use another card, or ask your bank.")
    }

    private static func message(for reason: String) -> String? {
        switch reason {
        case "insufficient_funds": "The card has insufficient funds. Please use another card."
        case "expired_card": "The card has expired. Please use another card."
        case "incorrect_cvc", "invalid_cvc": "The card's security code is wrong. Please check it and try again."
        case "incorrect_number", "invalid_number": "The card number is wrong. Please check it and try again."
        case "invalid_expiry_month", "invalid_expiry_year":
            "The card's expiration date is wrong. Please check it and try again."
        case "incorrect_zip", "incorrect_address":
            "The billing address does not match the card. Please check it and try again."
        case "incorrect_pin", "invalid_pin": "The PIN is wrong. Please try again."
        case "pin_try_exceeded": "The PIN was wrong too often. Please use another card."
        case "online_or_offline_pin_required", "offline_pin_required":
            "The card asks for its PIN. Please use another card."
        case "authentication_required", "authentication_not_handled", "mobile_device_authentication_required",
            "payment_intent_authentication_failure":
            "Your bank asks you to confirm this payment. Please pay again and follow its instructions."
        case "processing_error", "issuer_not_available", "try_again_later", "reenter_transaction", "approve_with_id":
            "The payment could not be processed. Please try again in a few minutes."
        case "card_not_supported": "The card does not support this kind of purchase. Please use another card."
        case "currency_not_supported": "The card does not support this currency. Please use another card."
        case "card_velocity_exceeded", "withdrawal_count_limit_exceeded", "card_decline_rate_limit_exceeded":
            "The card's limit is reached. Please use another card, or ask your bank."
        case "duplicate_transaction":
            "The same payment was made a moment ago. Please check whether it went through before paying again."
        case "call_issuer": "The card was declined. Please ask your bank, or use another card."
        case "testmode_decline": "This is a test card. Please use a real card."
        default: nil
        }
    }
}

extension ChargeFailure {
    /// The same failure with what the buyer may be told, unless that is there already.
    public func withBuyerAdvice() -> ChargeFailure {
        guard buyerCode == nil, buyerMessage == nil else { return self }
        var failure = self
        let advice = DeclineAdvice.forBuyer(code: code, declineCode: declineCode)
        failure.buyerCode = advice.code
        failure.buyerMessage = advice.message
        return failure
    }
}
