/// All test cards, found by number or by name.
enum TestCards {
    static let all: [TestCard] = successes + countries + declines + checks + disputes + authentications

    /// The place in `all` of a card number.
    static func index(number: String) -> Int? { byNumber[number] }

    /// The place in `all` of a token such as `tok_visa` or `tok_visa_chargeDeclined`.
    static func index(token: some StringProtocol) -> Int? {
        guard token.hasPrefix("tok_") else { return nil }
        return index(name: token.dropFirst(4)).flatMap { all[$0].methodOnly ? nil : $0 }
    }

    /// The place in `all` of a payment method such as `pm_card_visa`.
    static func index(method: some StringProtocol) -> Int? {
        guard method.hasPrefix("pm_card_") else { return nil }
        return index(name: method.dropFirst(8))
    }

    /// Both forms of a name: `chargeDeclined` and `visa_chargeDeclined`.
    private static func index(name: some StringProtocol) -> Int? {
        if let known = byName[String(name)] { return known }
        return name.hasPrefix("visa_") ? byName[String(name.dropFirst(5))] : nil
    }

    private static let byNumber: [String: Int] = Dictionary(
        all.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    private static let byName: [String: Int] = Dictionary(
        all.enumerated().flatMap { index, card in card.names.map { ($0, index) } },
        uniquingKeysWith: { first, _ in first })

    private static let successes = [
        TestCard("4242424242424242", "visa", "us"),
        TestCard("4000056655665556", "visa_debit", "debit", funding: "debit"),
        TestCard("5555555555554444", "mastercard", brand: .mastercard),
        TestCard("2223003122003222", "mastercard_2series", brand: .mastercard),
        TestCard("5200828282828210", "mastercard_debit", brand: .mastercard, funding: "debit"),
        TestCard("5105105105105100", "mastercard_prepaid", brand: .mastercard, funding: "prepaid"),
        TestCard("378282246310005", "amex", brand: .amex),
        TestCard("371449635398431", brand: .amex),
        TestCard("6011111111111117", "discover", brand: .discover),
        TestCard("6011000990139424", brand: .discover),
        TestCard("6011981111111113", "discover_debit", brand: .discover, funding: "debit"),
        TestCard("3056930009020004", "diners", brand: .diners),
        TestCard("36227206271667", brand: .diners),
        TestCard("3566002020360505", "jcb", brand: .jcb, country: "JP"),
        TestCard("6200000000000005", "unionpay", brand: .unionpay, country: "CN"),
        TestCard("6200000000000047", "unionpay_debit", brand: .unionpay, funding: "debit", country: "CN"),
        TestCard("6205500000000000004", brand: .unionpay, country: "CN"),
    ]

    private static let countries = [
        TestCard("4000008260000000", "gb", country: "GB"),
        TestCard("4000058260000005", "gb_debit", funding: "debit", country: "GB"),
        TestCard("5555558265554449", "gb_mastercard", brand: .mastercard, country: "GB"),
        TestCard("4000001240000000", "ca", country: "CA"),
        TestCard("4000003920000003", "jp", country: "JP"),
        TestCard("4000002760000016", "de", country: "DE"),
        TestCard("4000002500000003", "fr", country: "FR"),
        TestCard("4000007240000007", "es", country: "ES"),
        TestCard("4000003800000008", "it", country: "IT"),
        TestCard("4000005280000002", "nl", country: "NL"),
        TestCard("4000003720000005", "ie", country: "IE"),
        TestCard("4000007560000009", "ch", country: "CH"),
        TestCard("4000007520000008", "se", country: "SE"),
        TestCard("4000005780000007", "no", country: "NO"),
        TestCard("4000002080000001", "dk", country: "DK"),
        TestCard("4000000400000008", "at", country: "AT"),
        TestCard("4000000560000004", "be", country: "BE"),
        TestCard("4000000360000006", "au", country: "AU"),
        TestCard("4000005540000008", "nz", country: "NZ"),
        TestCard("4000007020000003", "sg", country: "SG"),
        TestCard("4000003440000004", "hk", country: "HK"),
        TestCard("4000003560000008", "in", country: "IN"),
        TestCard("4000000760000002", "br", country: "BR"),
        TestCard("4000004840008001", "mx", country: "MX"),
    ]

    private static let declines = [
        TestCard("4000000000000002", "chargeDeclined", outcome: .decline(.generic)),
        TestCard("4000000000009995", "chargeDeclinedInsufficientFunds", outcome: .decline(.insufficientFunds)),
        TestCard("4000000000009987", "chargeDeclinedLostCard", outcome: .decline(.lost)),
        TestCard("4000000000009979", "chargeDeclinedStolenCard", outcome: .decline(.stolen)),
        TestCard("4000000000000069", "chargeDeclinedExpiredCard", outcome: .decline(.expired)),
        TestCard("4000000000000127", "chargeDeclinedIncorrectCvc", outcome: .decline(.incorrectCVC)),
        TestCard("4000000000000119", "chargeDeclinedProcessingError", outcome: .decline(.processing)),
        TestCard("4000000000006975", "chargeDeclinedVelocityLimitExceeded", outcome: .decline(.velocity)),
        TestCard("4100000000000019", "chargeDeclinedFraudulent", "radarBlock", outcome: .decline(.fraudulent)),
        TestCard("4000000000004954", "riskLevelHighest", outcome: .decline(.highestRisk)),
        TestCard("4000000000000341", "chargeCustomerFail", outcome: .decline(.generic), attaches: true),
    ]

    private static let checks = [
        TestCard("4000000000009235", "riskLevelElevated", outcome: .elevatedRisk),
        TestCard("4000000000000101", "cvcCheckFail", checks: .init(cvc: "fail")),
        TestCard("4000000000000010", "avsFail", checks: .init(line1: "fail", postalCode: "fail")),
        TestCard("4000000000000028", "avsLine1Fail", checks: .init(line1: "fail")),
        TestCard("4000000000000036", "avsZipFail", checks: .init(postalCode: "fail")),
        TestCard("4000000000000044", "avsUnchecked", checks: .init(line1: "unavailable", postalCode: "unavailable")),
        TestCard("4000058400307872", "cvcCheckFailElevatedRisk", outcome: .elevatedRisk, checks: .init(cvc: "fail")),
        TestCard(
            "4000058400306072", "avsZipFailElevatedRisk", outcome: .elevatedRisk, checks: .init(postalCode: "fail")),
        TestCard("4000000000000077", "bypassPending"),
        TestCard("4000003720000278", "bypassPendingInternational", country: "IE"),
        TestCard("4000000000007726", "pendingRefund"),
        TestCard("4000000000005126", "refundFail"),
    ]

    private static let disputes = [
        TestCard("4000000000000259", "createDispute", outcome: .dispute),
        TestCard("4000000000002685", "createDisputeProductNotReceived", outcome: .dispute),
        TestCard("4000000000001976", "createDisputeInquiry", outcome: .dispute),
        TestCard("4000000000005423", "createIssuerFraudRecord"),
        TestCard("4000000404000079", "createMultipleDisputes", outcome: .dispute),
        TestCard("4000000404000038", "createCe3EligibleDispute", outcome: .dispute),
        TestCard("4000008400000779", "createComplianceDispute", outcome: .dispute),
    ]

    private static let authentications = [
        TestCard("4000000000003220", "threeDSecure2Required", "threeDSecureRequired", outcome: .authenticate),
        TestCard("4000008400001629", "threeDSecureRequiredChargeDeclined", outcome: .authenticate),
        TestCard("4000008400001280", "threeDSecureRequiredProcessingError", outcome: .authenticate),
        TestCard("4000000000003055", "threeDSecureOptional"),
        TestCard("4000000000003097", "threeDSecureOptionalProcessingError"),
        TestCard("4000002760003184", "authenticationRequired", outcome: .authenticate, methodOnly: true),
        TestCard("4000002500003155", "authenticationRequiredOnSetup", outcome: .authenticate, methodOnly: true),
        TestCard("4000003800000446", "authenticationRequiredSetupForOffSession", methodOnly: true),
    ]
}
