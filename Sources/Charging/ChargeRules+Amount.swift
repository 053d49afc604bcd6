extension ChargeRules {
    /// What is wrong with an amount; `currency` nil when it could not be read.
    static func amount(_ amount: Int64, _ currency: Currency?) -> FieldProblem? {
        if amount < 1 {
            return FieldProblem(
                "amount", .amountTooSmall,
                "amount must be above 0: a whole number of minor units, such as 1999 for 19.99 usd")
        }
        if amount > Currency.maximumAmount {
            return FieldProblem("amount", .amountTooLarge, "amount is too large: it may have at most 12 digits")
        }
        guard let currency else { return nil }
        guard amount.isMultiple(of: currency.step) else {
            let mend =
                currency.step == 100
                ? "must be a multiple of 100 in \(currency), which has no smaller unit"
                : "must end in 0 in \(currency), whose third decimal cards cannot carry"
            return FieldProblem("amount", .invalidAmount, "amount \(mend)")
        }
        if amount < currency.minimumAmount {
            return FieldProblem(
                "amount", .amountTooSmall,
                "amount is below the smallest charge in \(currency), \(currency.minimumAmount) minor units "
                    + "(\(decimal(currency.minimumAmount, currency)) \(currency)): is it in minor units?")
        }
        return nil
    }

    /// What is wrong between the fields of a request whose fields are right each by itself.
    static func together(token: CardToken?, customer: String?, offSession: Bool, flow: Flow) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if token == nil, customer == nil {
            problems.append(
                FieldProblem(
                    "token", .missing,
                    "token is missing: send the tok_…, pm_… or src_… id that Stripe made, or a customer whose default card pays"
                ))
        }
        if token?.kind == .card, customer == nil {
            problems.append(
                FieldProblem(
                    "token", .exclusive, "token is a saved card (card_…), which needs its customer: send customer too"))
        }
        if flow == .charges, token?.kind == .paymentMethod {
            problems.append(
                FieldProblem(
                    "token", .exclusive,
                    "token is a payment method (pm_…), which the charges flow cannot use: set STRIPE_FLOW=payment_intents"
                ))
        }
        if flow == .charges, offSession {
            problems.append(
                FieldProblem(
                    "off_session", .exclusive,
                    "off_session is of the payment_intents flow: take it out, or change STRIPE_FLOW"))
        }
        return problems
    }

    /// 50 in usd is `0.50`.
    private static func decimal(_ amount: Int64, _ currency: Currency) -> String {
        let digits = String(amount)
        guard currency.exponent > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count)) + digits
        return padded.dropLast(currency.exponent) + "." + padded.suffix(currency.exponent)
    }
}
