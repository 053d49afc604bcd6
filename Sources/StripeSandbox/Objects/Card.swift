internal import JSONText

/// A name and an address, as billing details or on a legacy card object.
struct Billing: Sendable, Equatable {
    var name: String?
    var email: String?
    var phone: String?
    var line1: String?
    var line2: String?
    var city: String?
    var state: String?
    var postalCode: String?
    var country: String?

    var isEmpty: Bool { self == Billing() }
}

/// A card somebody pays with: one of the test cards, with what was typed beside the number.
struct Card: Sendable {
    /// Its place in `TestCards.all`.
    let test: Int
    let expiryMonth: Int
    let expiryYear: Int
    /// Whether a security code came with it.
    let hasCVC: Bool
    let billing: Kept<Billing>?

    var facts: TestCard { TestCards.all[test] }

    var cvcCheck: String? { check(facts.checks.cvc, given: hasCVC) }
    var line1Check: String? { check(facts.checks.line1, given: billing?.value.line1 != nil) }
    var postalCodeCheck: String? { check(facts.checks.postalCode, given: billing?.value.postalCode != nil) }

    /// A check that was not asked for has no result, unless the test card is there to fail it.
    private func check(_ result: String, given: Bool) -> String? {
        given || result != "pass" ? result : nil
    }

    /// A named test card: valid till August of next year, as Stripe's are.
    static func named(_ test: Int, now: Int64) -> Card {
        Card(test: test, expiryMonth: 8, expiryYear: CivilYear.of(milliseconds: now) + 1, hasCVC: true, billing: nil)
    }
}

/// The year of an instant, which is all the calendar that cards need.
enum CivilYear {
    static func of(milliseconds: Int64) -> Int { yearAndMonth(milliseconds: milliseconds).year }

    static func yearAndMonth(milliseconds: Int64) -> (year: Int, month: Int) {
        let text = RFC3339.text(milliseconds: milliseconds)
        return (Int(text.prefix(4)) ?? 1970, Int(text.dropFirst(5).prefix(2)) ?? 1)
    }
}
