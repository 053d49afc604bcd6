/// What Stripe takes as an amount (Stripe docs: currencies). Minor units throughout.
enum AmountRules {
    /// Reads `amount` and `currency`, in the order in which Stripe complains.
    static func read(_ parameters: Parameters, largest: Int64) throws(StripeFailure) -> (Int64, String) {
        let text = try parameters.requiredText("amount")
        let typed = try parameters.requiredText("currency")
        guard let amount = try parameters.integer("amount") else { throw .notInteger("amount", text) }
        guard amount >= 1 else {
            throw StripeFailure(
                "This value must be greater than or equal to 1.", code: "parameter_invalid_integer", param: "amount")
        }
        let currency = typed.lowercased()
        guard Currencies.all.contains(currency) else {
            throw .wrong(
                "currency",
                "Invalid currency: \(typed.prefix(20)). Stripe currently supports these currencies: \(Currencies.list)")
        }
        try check(amount, currency, largest: largest)
        return (amount, currency)
    }

    static func check(_ amount: Int64, _ currency: String, largest: Int64) throws(StripeFailure) {
        if let least = Currencies.least[currency], amount < least {
            throw StripeFailure(
                "Amount must be at least \(text(least, currency)) \(currency)", code: "amount_too_small",
                param: "amount")
        }
        guard amount <= largest else {
            throw StripeFailure(
                "Amount must be no more than \(text(largest, currency)) \(currency)", code: "amount_too_large",
                param: "amount")
        }
        if let step = Currencies.steps[currency], amount % step != 0 {
            throw StripeFailure(
                "Invalid amount: in \(currency) it must be a multiple of \(step)", code: "invalid_charge_amount",
                param: "amount")
        }
    }

    /// An amount for people: `0.50`, or `50` in a currency without decimals.
    static func text(_ amount: Int64, _ currency: String) -> String {
        let digits = Currencies.decimals(currency)
        guard digits > 0 else { return String(amount) }
        let scale: Int64 = digits == 3 ? 1_000 : 100
        let fraction = String(scale + amount % scale).dropFirst()
        return "\(amount / scale).\(fraction)"
    }
}
