import Testing

@testable import Charging

@Suite struct CurrencyTests {
    private static let zeroDecimal: Set = [
        "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf",
    ]
    private static let threeDecimal: Set = ["bhd", "jod", "kwd", "omr", "tnd"]
    private static let minimums: [String: Int64] = [
        "usd": 50, "ars": 50, "aud": 50, "brl": 50, "cad": 50, "chf": 50, "cop": 50, "eur": 50, "idr": 50, "ils": 50,
        "inr": 50, "jpy": 50, "krw": 50, "nzd": 50, "php": 50, "rub": 50, "sgd": 50, "zar": 50, "gbp": 30, "aed": 200,
        "myr": 200, "pln": 200, "ron": 200, "dkk": 250, "nok": 300, "sek": 300, "hkd": 400, "mxn": 1_000,
        "thb": 1_000, "czk": 1_500, "huf": 17_500, "bgn": 100,
    ]

    @Test func `the table has every currency once, in order`() {
        let codes = Currency.all.map(\.code)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        #expect(codes.count == 138)
        #expect(codes.allSatisfy { $0.utf8.count == 3 })
        for retired in ["eek", "hrk", "lvl", "ltl", "mro", "std", "svc", "vef"] { #expect(!codes.contains(retired)) }
    }

    @Test(arguments: Currency.all)
    func `each has its decimals, step and smallest charge`(currency: Currency) {
        let code = currency.code
        #expect(Currency(code) == currency)
        #expect(Currency(code.uppercased()) == currency)
        #expect(currency.exponent == (Self.zeroDecimal.contains(code) ? 0 : Self.threeDecimal.contains(code) ? 3 : 2))
        let step: Int64 = code == "isk" || code == "ugx" ? 100 : Self.threeDecimal.contains(code) ? 10 : 1
        #expect(currency.step == step)
        let minimum = Self.minimums[code] ?? step
        #expect(currency.minimumAmount == minimum)

        #expect(ChargeRules.amount(minimum, currency) == nil)
        let largest = Currency.maximumAmount - Currency.maximumAmount % step
        #expect(ChargeRules.amount(largest, currency) == nil)
        #expect(ChargeRules.amount(1_000_000_000_000, currency)?.code == .amountTooLarge)
        #expect(ChargeRules.amount(0, currency)?.code == .amountTooSmall)
        #expect(ChargeRules.amount(-minimum, currency)?.code == .amountTooSmall)
        if minimum > step { #expect(ChargeRules.amount(minimum - step, currency)?.code == .amountTooSmall) }
        if step > 1 {
            #expect(ChargeRules.amount(100 * step + 1, currency)?.code == .invalidAmount)
            #expect(ChargeRules.amount(100 * step + step / 2, currency)?.code == .invalidAmount)
        }
    }

    @Test(arguments: [
        "", "us", "usdx", "zzz", "xxx", "u$d", "us ", " usd", "ｕｓｄ", "€€€", "123", "us\u{0}", "@sd", "hrk",
    ])
    func `no other text is a currency`(code: String) {
        #expect(Currency(code) == nil)
    }

    @Test(
        arguments: [
            ("usd", 49, "0.50 usd"), ("jpy", 49, "50 jpy"), ("huf", 17_499, "175.00 huf"), ("gbp", 1, "0.30 gbp"),
        ] as [(String, Int64, String)])
    func `too small an amount is told the smallest in both spellings`(code: String, amount: Int64, words: String) throws
    {
        let currency = try #require(Currency(code))
        let problem = try #require(ChargeRules.amount(amount, currency))
        #expect(problem.message.contains("(\(words))"))
    }
}
