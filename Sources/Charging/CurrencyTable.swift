/// The rules of one currency.
struct CurrencyRule: Hashable, Sendable {
    var code: String
    var exponent: Int
    var minimum: Int64
    var step: Int64
}

/// The currencies as data, from docs.stripe.com/currencies and the list in Stripe's Go library (`currency.go`), without
/// the retired eek, hrk, lvl, ltl, mro, std, svc and vef.
enum CurrencyTable {
    private static let presentment = """
        aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad
        cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd
        hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl
        mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg
        qar ron rsd rub rwf sar sbd scr sek sgd shp sll sos srd szl thb tjs tnd top try ttd twd tzs uah ugx
        usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw
        """
    /// An amount of 500 is 500 yen.
    private static let zeroDecimal = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf"
    /// An amount of 5120 is 5.120 dinars, and the last digit must be 0.
    private static let threeDecimal = "bhd jod kwd omr tnd"
    /// Without a minor unit in ISO 4217, but sent to Stripe with two digits that must be 00.
    private static let wholeUnits = "isk ugx"
    /// The smallest charge in minor units. Stripe publishes these for the currencies that an account can be paid out
    /// in.
    private static let minimums: [(amount: Int64, codes: String)] = [
        (50, "usd ars aud brl cad chf cop eur idr ils inr jpy krw nzd php rub sgd zar"), (30, "gbp"),
        (200, "aed myr pln ron"), (250, "dkk"), (300, "nok sek"), (400, "hkd"), (1_000, "mxn thb"), (1_500, "czk"),
        (17_500, "huf"), (100, "bgn"),
    ]

    /// Every currency, sorted by code.
    static let rules: [CurrencyRule] = {
        let zero = words(zeroDecimal)
        let three = words(threeDecimal)
        let whole = words(wholeUnits)
        var minimum: [String: Int64] = [:]
        for (amount, codes) in minimums {
            for code in words(codes) { minimum[code] = amount }
        }
        return words(presentment).sorted().map { code in
            let step: Int64 = whole.contains(code) ? 100 : three.contains(code) ? 10 : 1
            return CurrencyRule(
                code: code, exponent: zero.contains(code) ? 0 : three.contains(code) ? 3 : 2,
                minimum: minimum[code] ?? step, step: step)
        }
    }()

    // The three letters of each rule as one number, in the same order: a request's currency is found by halving.
    private static let keys: [UInt32] = rules.map { $0.code.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    static func index(ofKey key: UInt32) -> UInt8? {
        let keys = keys
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? UInt8(low) : nil
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
