/// The parameters that a call knows. Any other is refused, as Stripe does.
struct ParameterSet: Sendable {
    private let names: Set<String>
    /// Hashes whose members are not looked at.
    private let open: Set<String>

    /// - Parameter names: in one spelling: `expand[]` for the elements of a list.
    init(_ names: String..., open: [String] = []) {
        self.names = Set(names + ["expand[]"])
        self.open = Set(open)
    }

    /// The first parameter that does not belong.
    func firstUnknown(in form: FormFields) -> String? {
        form.fields.first { !knows($0.name) }?.name
    }

    private func knows(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let bracket = name.utf8.firstIndex(of: UInt8(ascii: "[")) else { return open.contains(name) }
        let root = name[..<bracket]
        if root == "metadata" { return names.contains("metadata") && Self.isOneLevel(name[bracket...].utf8) }
        return open.contains(String(root)) || names.contains(Self.withoutNumbers(name))
    }

    /// `[key]` and nothing more: a bracket inside a metadata key would nest.
    private static func isOneLevel(_ rest: Substring.UTF8View) -> Bool {
        rest.count > 2 && rest.last == UInt8(ascii: "]")
            && !rest.dropFirst().dropLast().contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    }

    /// `expand[3]` as `expand[]`.
    static func withoutNumbers(_ name: String) -> String {
        var pattern = ""
        var rest = name[...]
        while let bracket = rest.firstIndex(of: "[") {
            pattern += rest[...bracket]
            rest = rest[rest.index(after: bracket)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty, rest.dropFirst(digits.count).first == "]" { rest = rest.dropFirst(digits.count) }
        }
        return pattern + rest
    }

    // MARK: The calls

    static let token = ParameterSet(
        "card[number]", "card[exp_month]", "card[exp_year]", "card[cvc]", "card[name]", "card[address_line1]",
        "card[address_line2]", "card[address_city]", "card[address_state]", "card[address_zip]",
        "card[address_country]", "card[currency]")
    static let method = ParameterSet(
        "type", "card[token]", "card[number]", "card[exp_month]", "card[exp_year]", "card[cvc]", "metadata",
        "allow_redisplay", open: ["billing_details", "radar_options"])
    static let attach = ParameterSet("customer")
    static let intent = ParameterSet(
        "amount", "currency", "automatic_payment_methods[enabled]", "automatic_payment_methods[allow_redirects]",
        "capture_method", "confirm", "confirmation_method", "customer", "description", "error_on_requires_action",
        "metadata", "off_session", "on_behalf_of", "payment_method", "payment_method_configuration",
        "payment_method_data[type]", "payment_method_data[card][token]", "payment_method_data[allow_redisplay]",
        "payment_method_data[billing_details][name]", "payment_method_data[billing_details][email]",
        "payment_method_data[billing_details][phone]", "payment_method_data[billing_details][address][line1]",
        "payment_method_data[billing_details][address][line2]", "payment_method_data[billing_details][address][city]",
        "payment_method_data[billing_details][address][state]",
        "payment_method_data[billing_details][address][postal_code]",
        "payment_method_data[billing_details][address][country]",
        "payment_method_types[]", "receipt_email", "return_url", "setup_future_usage", "statement_descriptor",
        "statement_descriptor_suffix", "transfer_group", "application_fee_amount", "use_stripe_sdk",
        open: [
            "shipping", "transfer_data", "payment_method_options", "radar_options", "mandate_data", "amount_details",
        ])
    static let confirmIntent = ParameterSet(
        "payment_method", "payment_method_data[type]", "payment_method_data[card][token]", "return_url", "off_session",
        "payment_method_data[billing_details][name]", "payment_method_data[billing_details][email]",
        "payment_method_data[billing_details][phone]", "payment_method_data[billing_details][address][line1]",
        "payment_method_data[billing_details][address][line2]", "payment_method_data[billing_details][address][city]",
        "payment_method_data[billing_details][address][state]",
        "payment_method_data[billing_details][address][postal_code]",
        "payment_method_data[billing_details][address][country]",
        "error_on_requires_action", "receipt_email", "setup_future_usage", "use_stripe_sdk", "capture_method",
        "payment_method_types[]", open: ["payment_method_options", "mandate_data", "radar_options", "shipping"])
    static let updateIntent = ParameterSet(
        "amount", "currency", "customer", "description", "metadata", "payment_method", "receipt_email",
        "statement_descriptor_suffix", "setup_future_usage", "capture_method", open: ["shipping"])
    static let captureIntent = ParameterSet(
        "amount_to_capture", "final_capture", "metadata", "statement_descriptor", "statement_descriptor_suffix",
        "application_fee_amount", open: ["transfer_data"])
    static let cancelIntent = ParameterSet("cancellation_reason")
    static let charge = ParameterSet(
        "amount", "currency", "source", "customer", "description", "metadata", "receipt_email", "capture",
        "statement_descriptor", "statement_descriptor_suffix", "on_behalf_of", "transfer_group",
        "application_fee_amount", "application_fee", "destination", "card",
        open: ["transfer_data", "shipping", "radar_options", "destination"])
    static let updateCharge = ParameterSet(
        "customer", "description", "metadata", "receipt_email", "transfer_group", open: ["shipping", "fraud_details"])
    static let captureCharge = ParameterSet(
        "amount", "receipt_email", "statement_descriptor", "statement_descriptor_suffix", "application_fee_amount",
        "transfer_group", open: ["transfer_data"])
    static let customer = ParameterSet(
        "email", "name", "description", "metadata", "phone", "source", open: ["address", "shipping"])
    static let listIntents = ParameterSet(
        "created", "created[gt]", "created[gte]", "created[lt]", "created[lte]", "customer", "limit", "starting_after",
        "ending_before")
    static let listCharges = ParameterSet(
        "created", "created[gt]", "created[gte]", "created[lt]", "created[lte]", "customer", "payment_intent",
        "transfer_group", "limit", "starting_after", "ending_before")
    static let search = ParameterSet("query", "limit", "page")
    static let retrieveIntent = ParameterSet("client_secret")
    static let retrieve = ParameterSet()
}
