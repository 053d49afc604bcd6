/// The currencies that Stripe presents prices in, as data (Stripe docs: currencies; stripe-go `currency.go`). The
/// sandbox has its own table, not the worker's: a mistake in one must show in the other.
enum Currencies {
    static let list = """
        aed, afn, all, amd, ang, aoa, ars, aud, awg, azn, bam, bbd, bdt, bgn, bhd, bif, bmd, bnd, bob, brl, bsd, bwp, \
        byn, bzd, cad, cdf, chf, clp, cny, cop, crc, cve, czk, djf, dkk, dop, dzd, egp, etb, eur, fjd, fkp, gbp, gel, \
        gip, gmd, gnf, gtq, gyd, hkd, hnl, htg, huf, idr, ils, inr, isk, jmd, jod, jpy, kes, kgs, khr, kmf, krw, kwd, \
        kyd, kzt, lak, lbp, lkr, lrd, lsl, mad, mdl, mga, mkd, mmk, mnt, mop, mur, mvr, mwk, mxn, myr, mzn, nad, ngn, \
        nio, nok, npr, nzd, omr, pab, pen, pgk, php, pkr, pln, pyg, qar, ron, rsd, rub, rwf, sar, sbd, scr, sek, sgd, \
        shp, sll, sos, srd, szl, thb, tjs, tnd, top, try, ttd, twd, tzs, uah, ugx, usd, uyu, uzs, vnd, vuv, wst, xaf, \
        xcd, xof, xpf, yer, zar, zmw
        """
    static let all = Set(list.split(separator: ", ").map(String.init))

    /// The smallest charge; currencies not named have none here (Stripe converts them first).
    static let least: [String: Int64] = [
        "usd": 50, "ars": 50, "aud": 50, "brl": 50, "cad": 50, "chf": 50, "cop": 50, "eur": 50, "idr": 50, "ils": 50,
        "inr": 50, "jpy": 50, "krw": 50, "nzd": 50, "php": 50, "rub": 50, "sgd": 50, "zar": 50, "gbp": 30, "aed": 200,
        "myr": 200, "pln": 200, "ron": 200, "dkk": 250, "nok": 300, "sek": 300, "hkd": 400, "mxn": 1_000, "thb": 1_000,
        "czk": 1_500, "huf": 17_500, "bgn": 100,
    ]

    /// Amounts must be multiples: two zero-decimal currencies that are sent with two, and the last digit of three.
    static let steps: [String: Int64] = ["isk": 100, "ugx": 100, "bhd": 10, "jod": 10, "kwd": 10, "omr": 10, "tnd": 10]

    private static let withoutDecimals: Set = [
        "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf",
    ]

    /// Digits behind the point.
    static func decimals(_ currency: String) -> Int {
        if withoutDecimals.contains(currency) { return 0 }
        return steps[currency] == 10 ? 3 : 2
    }
}
