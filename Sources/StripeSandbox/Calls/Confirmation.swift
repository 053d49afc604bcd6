/// How an intent is to be confirmed.
struct Confirmation {
    /// `payment_method`: a payment method or a customer's card.
    var method: String?
    /// `payment_method_data[card][token]`.
    var token: String?
    var billing: Kept<Billing>?
    /// The buyer is not there.
    var isOffSession = false
    /// Better an error than a step that nobody will take.
    var failsOnAction = false
    var returnURL: String?

    /// - Parameter confirms: some parameters make sense only then, and are refused otherwise.
    static func read(_ parameters: Parameters, confirms: Bool) throws(StripeFailure) -> Confirmation {
        var read = Confirmation()
        read.method = try parameters.text("payment_method")
        if parameters.form.mentions("payment_method_data") { try read.readData(parameters) }
        if let word = try parameters.word("off_session", among: "true", "false", "one_off", "recurring") {
            guard confirms else { throw onlyWhenConfirming("off_session") }
            read.isOffSession = word != "false"
        }
        if try parameters.flag("error_on_requires_action") {
            guard confirms else { throw onlyWhenConfirming("error_on_requires_action") }
            read.failsOnAction = true
        }
        if let url = try parameters.text("return_url") {
            guard url.contains("://") else {
                throw StripeFailure("Not a valid URL", code: "url_invalid", param: "return_url")
            }
            guard confirms else { throw onlyWhenConfirming("return_url") }
            read.returnURL = url
        }
        return read
    }

    private mutating func readData(_ parameters: Parameters) throws(StripeFailure) {
        guard method == nil else {
            throw .wrong(
                "payment_method_data",
                "You may only specify one of these parameters: payment_method, payment_method_data.")
        }
        guard let type = try parameters.text("payment_method_data[type]") else {
            throw .missing("payment_method_data[type]")
        }
        guard type == "card" else {
            throw .wrong("payment_method_data[type]", "Invalid payment_method_data[type]: must be card")
        }
        token = try parameters.requiredText("payment_method_data[card][token]")
        billing = try Calls.billing(parameters, "payment_method_data[billing_details]")
    }

    private static func onlyWhenConfirming(_ param: String) -> StripeFailure {
        .wrong(param, "The parameter `\(param)` can only be passed when `confirm` is set to `true`.")
    }
}
