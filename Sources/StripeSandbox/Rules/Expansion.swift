/// Which references an answer shows as whole objects (docs: expanding responses).
struct Expansion: OptionSet, Sendable {
    let rawValue: UInt16

    static let latestCharge = Expansion(rawValue: 1)
    static let method = Expansion(rawValue: 2)
    static let customer = Expansion(rawValue: 4)
    static let balanceTransaction = Expansion(rawValue: 8)
    static let intent = Expansion(rawValue: 16)
    static let refunds = Expansion(rawValue: 32)
    static let totalCount = Expansion(rawValue: 64)

    /// What an object's answer can expand, by path. References that are always null here expand to nothing.
    struct Paths: Sendable {
        let known: [String: Expansion]

        static let intent = Paths(known: [
            "latest_charge": .latestCharge, "payment_method": .method, "customer": .customer,
            "latest_charge.balance_transaction": [.latestCharge, .balanceTransaction],
            "latest_charge.customer": .latestCharge, "latest_charge.refunds": [.latestCharge, .refunds],
            "application": [], "on_behalf_of": [], "review": [], "source": [], "transfer_data.destination": [],
            "last_payment_error.payment_method.customer": [],
        ])
        static let charge = Paths(known: [
            "balance_transaction": .balanceTransaction, "customer": .customer, "payment_intent": .intent,
            "refunds": .refunds, "application": [], "application_fee": [], "failure_balance_transaction": [],
            "on_behalf_of": [], "review": [], "source_transfer": [], "transfer": [], "transfer_data.destination": [],
        ])
        static let method = Paths(known: ["customer": .customer])
        static let customer = Paths(known: ["default_source": [], "sources": [], "subscriptions": [], "tax": []])
        static let none = Paths(known: [:])
    }

    /// Reads `expand[]`; an unknown path is an error, as it is at Stripe.
    ///
    /// - Parameter prefix: `data.` in lists, where the paths begin at the elements.
    static func read(_ form: FormFields, _ paths: Paths, prefix: String = "") throws(StripeFailure) -> Expansion {
        var expansion: Expansion = []
        for path in form.list("expand") {
            if !prefix.isEmpty, path == "total_count" || path == "data" {
                expansion.insert(.totalCount)
                continue
            }
            guard path.split(separator: ".").count <= 4 + (prefix.isEmpty ? 0 : 1) else {
                throw .wrong("expand", "You cannot expand more than 4 levels of a property. Property: \(path)")
            }
            guard path.hasPrefix(prefix), let known = paths.known[String(path.dropFirst(prefix.count))] else {
                throw .wrong("expand", "This property cannot be expanded (\(path)).")
            }
            expansion.formUnion(known)
        }
        return expansion
    }
}
