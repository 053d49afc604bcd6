/// A call of Stripe's API that the sandbox knows.
enum Route: Equatable {
    case createToken, token(String)
    case createMethod, method(String), attachMethod(String)
    case createIntent, listIntents, searchIntents, intent(String)
    case updateIntent(String), confirmIntent(String), captureIntent(String), cancelIntent(String)
    case createCharge, listCharges, searchCharges, charge(String), updateCharge(String), captureCharge(String)
    case createCustomer, customer(String)
    case balance

    static func find(_ method: String, _ path: String) -> Route? {
        let parts = path.dropFirst("/v1/".count).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        guard path.hasPrefix("/v1/"), (1...3).contains(parts.count), !parts.contains("") else { return nil }
        switch method {
        case "POST": return post(parts)
        case "GET", "HEAD": return get(parts)
        default: return nil
        }
    }

    private static func post(_ parts: [String]) -> Route? {
        switch parts.count {
        case 1:
            switch parts[0] {
            case "tokens": .createToken
            case "payment_methods": .createMethod
            case "payment_intents": .createIntent
            case "charges": .createCharge
            case "customers": .createCustomer
            default: nil
            }
        case 2:
            switch parts[0] {
            case "payment_intents": .updateIntent(parts[1])
            case "charges": .updateCharge(parts[1])
            default: nil
            }
        default:
            switch (parts[0], parts[2]) {
            case ("payment_methods", "attach"): .attachMethod(parts[1])
            case ("payment_intents", "confirm"): .confirmIntent(parts[1])
            case ("payment_intents", "capture"): .captureIntent(parts[1])
            case ("payment_intents", "cancel"): .cancelIntent(parts[1])
            case ("charges", "capture"): .captureCharge(parts[1])
            default: nil
            }
        }
    }

    private static func get(_ parts: [String]) -> Route? {
        switch (parts.count, parts[0]) {
        case (1, "payment_intents"): .listIntents
        case (1, "charges"): .listCharges
        case (1, "balance"): .balance
        case (2, "payment_intents"): parts[1] == "search" ? .searchIntents : .intent(parts[1])
        case (2, "charges"): parts[1] == "search" ? .searchCharges : .charge(parts[1])
        case (2, "tokens"): .token(parts[1])
        case (2, "payment_methods"): .method(parts[1])
        case (2, "customers"): .customer(parts[1])
        default: nil
        }
    }

    /// Whether it makes or moves a payment.
    var isPayment: Bool {
        switch self {
        case .createIntent, .updateIntent, .confirmIntent, .captureIntent, .cancelIntent, .createCharge, .updateCharge,
            .captureCharge:
            true
        default: false
        }
    }

    var parameters: ParameterSet {
        switch self {
        case .createToken: .token
        case .createMethod: .method
        case .attachMethod: .attach
        case .createIntent: .intent
        case .updateIntent: .updateIntent
        case .confirmIntent: .confirmIntent
        case .captureIntent: .captureIntent
        case .cancelIntent: .cancelIntent
        case .listIntents: .listIntents
        case .listCharges: .listCharges
        case .searchIntents, .searchCharges: .search
        case .createCharge: .charge
        case .updateCharge: .updateCharge
        case .captureCharge: .captureCharge
        case .createCustomer: .customer
        case .intent: .retrieveIntent
        case .charge, .token, .method, .customer, .balance: .retrieve
        }
    }
}
