/// Card data typed by a buyer, checked as at tokenisation (docs: testing). Only Stripe's test cards are taken: a real
/// card number does not belong in a sandbox.
enum CardNumber {
    /// Reads `card[…]`.
    static func read(_ parameters: Parameters, billing: Kept<Billing>?, now: Int64) throws(StripeFailure) -> Card {
        let number = try parameters.requiredText("card[number]").filter { $0 != " " && $0 != "-" }
        let month = try parameters.requiredText("card[exp_month]")
        let year = try parameters.requiredText("card[exp_year]")
        let test = try testCard(number)
        let (expiryMonth, expiryYear) = try expiry(month, year, now: now)
        let cvc = try parameters.text("card[cvc]")
        if let cvc { try check(cvc: cvc, TestCards.all[test].brand) }
        return Card(
            test: test, expiryMonth: expiryMonth, expiryYear: expiryYear, hasCVC: cvc != nil, billing: billing)
    }

    private static func testCard(_ number: String) throws(StripeFailure) -> Int {
        guard (12...19).contains(number.utf8.count),
            number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw cardError("invalid_number", "number", "The card number is not a valid credit card number.")
        }
        guard passesLuhn(number) else {
            throw cardError("incorrect_number", "number", "Your card number is incorrect.")
        }
        guard let test = TestCards.index(number: number) else { throw .card(Kept(.notATestCard)).unsaved }
        return test
    }

    /// The check digit rule of ISO/IEC 7812.
    static func passesLuhn(_ number: String) -> Bool {
        var sum = 0
        for (place, byte) in number.utf8.reversed().enumerated() {
            let digit = Int(byte) - 48
            let doubled = digit * 2
            sum += place % 2 == 0 ? digit : (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum % 10 == 0
    }

    private static func expiry(_ month: String, _ year: String, now: Int64) throws(StripeFailure) -> (Int, Int) {
        guard let monthNumber = Int(month), (1...12).contains(monthNumber) else {
            throw cardError("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
        }
        let today = CivilYear.yearAndMonth(milliseconds: now)
        guard var yearNumber = Int(year) else {
            throw cardError("invalid_expiry_year", "exp_year", "Your card's expiration year is invalid.")
        }
        if (0..<100).contains(yearNumber) { yearNumber += 2_000 }
        guard (today.year...today.year + 50).contains(yearNumber) else {
            throw cardError("invalid_expiry_year", "exp_year", "Your card's expiration year is invalid.")
        }
        guard yearNumber > today.year || monthNumber >= today.month else {
            throw cardError("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
        }
        return (monthNumber, yearNumber)
    }

    private static func check(cvc: String, _ brand: Brand) throws(StripeFailure) {
        guard brand.cvcLength.contains(cvc.utf8.count), cvc.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            throw cardError("invalid_cvc", "cvc", "Your card's security code is invalid.")
        }
    }

    private static func cardError(_ code: String, _ param: String, _ message: String) -> StripeFailure {
        var failure = StripeFailure(message, status: 402, code: code, param: param)
        failure.type = "card_error"
        return failure
    }
}
