/// Stripe's error codes, by what they mean for a charge (docs: error-codes).
enum StripeCodes {
    /// The key, the token or the object was used by an earlier request, perhaps our own.
    static let usedBefore: Set<String> = [
        "token_already_used", "token_in_use", "payment_intent_unexpected_state", "charge_already_captured",
        "payment_intent_incompatible_payment_method", "payment_intent_rate_limit_exceeded",
        "payment_intent_payment_attempt_expired",
    ]
    /// The key, the account or the connection is at fault: the operator's.
    static let aboutTheKey: Set<String> = [
        "secret_key_required", "api_key_expired", "platform_api_key_expired", "testmode_charges_only",
        "tls_version_unsupported", "account_invalid",
    ]
    /// The request is at fault, where no parameter is named.
    static let aboutTheRequest: Set<String> = [
        "amount_too_small", "amount_too_large", "invalid_charge_amount", "charge_exceeds_source_limit",
        "charge_exceeds_transaction_limit", "country_unsupported", "resource_missing", "missing",
        "invalid_source_usage", "livemode_mismatch", "token_card_network_invalid", "email_invalid",
        "postal_code_invalid", "invalid_characters", "request_blocked", "balance_insufficient",
        "customer_max_payment_methods", "incorrect_number", "invalid_number", "expired_card",
    ]
}

/// Stripe's parameters and the fields of ours they come from.
enum StripeParameter {
    /// The field of the caller's request that a parameter of Stripe's was made from; nil when the caller sent nothing
    /// for it.
    static func field(of parameter: String, in request: ChargeRequest) -> String? {
        let root = parameter.prefix { $0 != "[" }
        switch root {
        case "amount", "currency": return String(root)
        case "source", "card", "payment_method", "payment_method_data": return request.token == nil ? nil : "token"
        case "customer": return request.customer == nil ? nil : "customer"
        case "description": return request.description == nil ? nil : "description"
        case "receipt_email": return request.receiptEmail == nil ? nil : "receipt_email"
        case "statement_descriptor_suffix":
            return request.statementDescriptorSuffix == nil ? nil : "statement_descriptor_suffix"
        case "metadata": return request.metadata.isEmpty ? nil : "metadata"
        case "capture", "capture_method": return request.capture ? nil : "capture"
        case "off_session": return request.offSession ? "off_session" : nil
        case "stripe_account": return request.stripeAccount == nil ? nil : "stripe_account"
        default: return nil
        }
    }
}
