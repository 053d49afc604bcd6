/// All objects, by number; an object's number is its place.
final class ObjectStore {
    let ids: ObjectID
    private(set) var charges: [Kept<Charge>] = []
    private(set) var intents: [Kept<Intent>] = []
    private(set) var methods: [Kept<PaymentMethod>] = []
    private(set) var tokens: [Kept<CardToken>] = []
    private(set) var customers: [Kept<Customer>] = []
    private(set) var cardCount = 0
    /// Named test tokens that were used, where settings make them one-time: until when the using call is under way.
    var usedNames: [String: Int64] = [:]
    private var scopes: [String: Int] = [:]

    init(seed: UInt64) {
        ids = ObjectID(seed: seed)
    }

    /// The number of an account in a mode; nothing is visible from one scope in another.
    func scope(account: String?, isLive: Bool) -> Int {
        let name = (isLive ? "live " : "test ") + (account ?? "")
        if let known = scopes[name] { return known }
        scopes[name] = scopes.count
        return scopes.count - 1
    }

    // MARK: Making and changing

    var nextCharge: Int { charges.count }
    var nextIntent: Int { intents.count }
    var nextMethod: Int { methods.count }
    var nextToken: Int { tokens.count }
    var nextCustomer: Int { customers.count }

    func nextCard() -> Int {
        cardCount += 1
        return cardCount - 1
    }

    @discardableResult
    func keep(_ charge: Charge) -> Kept<Charge> { Self.keep(charge, charge.number, &charges) }

    @discardableResult
    func keep(_ intent: Intent) -> Kept<Intent> { Self.keep(intent, intent.number, &intents) }

    @discardableResult
    func keep(_ method: PaymentMethod) -> Kept<PaymentMethod> { Self.keep(method, method.number, &methods) }

    @discardableResult
    func keep(_ token: CardToken) -> Kept<CardToken> { Self.keep(token, token.number, &tokens) }

    @discardableResult
    func keep(_ customer: Customer) -> Kept<Customer> { Self.keep(customer, customer.number, &customers) }

    /// Adds an object, or puts it in the place of its earlier self.
    private static func keep<Value>(_ value: Value, _ number: Int, _ values: inout [Kept<Value>]) -> Kept<Value> {
        let kept = Kept(value)
        if number < values.count { values[number] = kept } else { values.append(kept) }
        return kept
    }

    // MARK: Finding

    func charge(_ id: String, in scope: Int) -> Kept<Charge>? {
        find(.charge, id, charges).flatMap { $0.value.scope == scope ? $0 : nil }
    }

    func intent(_ id: String, in scope: Int) -> Kept<Intent>? {
        find(.intent, id, intents).flatMap { $0.value.scope == scope ? $0 : nil }
    }

    func method(_ id: String, in scope: Int) -> Kept<PaymentMethod>? {
        find(.method, id, methods).flatMap { $0.value.scope == scope ? $0 : nil }
    }

    func token(_ id: String, in scope: Int) -> Kept<CardToken>? {
        find(.token, id, tokens).flatMap { $0.value.scope == scope ? $0 : nil }
    }

    func customer(_ id: String, in scope: Int) -> Kept<Customer>? {
        find(.customer, id, customers).flatMap { $0.value.scope == scope ? $0 : nil }
    }

    private func find<Value>(_ kind: ObjectID.Kind, _ id: String, _ values: [Kept<Value>]) -> Kept<Value>? {
        guard let number = ids.number(kind, id), number < values.count else { return nil }
        return values[number]
    }

    /// The payment method behind an instrument; nil for a legacy card.
    func method(of instrument: Instrument?) -> Kept<PaymentMethod>? {
        guard case .method(let number) = instrument, number < methods.count else { return nil }
        return methods[number]
    }
}
