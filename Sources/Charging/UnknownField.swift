/// Says what is wrong with a field that no charge has: card data, or a misspelt name and the one it was meant to be.
enum UnknownField {
    /// Names under which careless code sends the card itself, lower-cased and without `_` and `-`.
    private static let cardData: Set<String> = [
        "card", "number", "cardnumber", "cvc", "cvv", "cvc2", "cvv2", "expmonth", "expyear", "expiry", "pan", "pktoken",
        "sourcedata", "paymentmethoddata",
    ]
    /// Names of other APIs, in the same form, and what they are called here.
    private static let elsewhere: [String: String] = [
        "source": "token", "stripetoken": "token", "cardtoken": "token", "paymentmethod": "token",
        "paymentmethodid": "token", "tokenid": "token", "email": "receipt_email", "chargeid": "id",
        "idempotencykey": "id", "requestid": "id", "reference": "id",
        "statementdescriptor": "statement_descriptor_suffix",
        "customerid": "customer", "account": "stripe_account", "expiresat": "not_after", "captured": "capture",
    ]

    /// The problem of a field by the name `name`, which is from outside and repeated only where it can be no secret.
    static func problem(_ name: String) -> FieldProblem {
        let plain = simplified(name)
        let bracket = plain.firstIndex(of: "[") ?? plain.endIndex
        if cardData.contains(String(plain[..<bracket])) {
            return FieldProblem(
                shown(name), .cardNumber,
                "\(shown(name)) is card data, which may not come this way: tokenize the card at Stripe and send its id as token"
            )
        }
        guard let known = elsewhere[plain] ?? nearest(to: plain) else {
            return FieldProblem(
                shown(name), .unknown,
                "\(shown(name)) is no field of a charge: take it out, or begin its name with x_ to keep it for yourself"
            )
        }
        return FieldProblem(
            shown(name), .unknown, "\(shown(name)) is no field of a charge: did you mean \(known)?")
    }

    /// A name from outside as it may be repeated: short, of harmless characters, and without anything secret.
    static func shown(_ name: String) -> String {
        let isHarmless = name.utf8.allSatisfy { byte in
            CardNumbers.isLetter(byte) || CardNumbers.isDigit(byte) || "_-.:[] ".utf8.contains(byte)
        }
        guard !name.isEmpty, name.utf8.count <= 40, isHarmless, !CardNumbers.holdsLongDigitRun(name),
            Scrubber.scrub(name) == name
        else { return "(a name that is not shown)" }
        return name
    }

    private static func nearest(to plain: String) -> String? {
        guard plain.utf8.count <= 40 else { return nil }
        let allowed = plain.utf8.count < 5 ? 1 : 2
        return ChargeField.allCases
            .map { (name: $0.name, distance: distance(Array(plain.utf8), Array(simplified($0.name).utf8))) }
            .filter { $0.distance <= allowed }
            .min { $0.distance < $1.distance }?.name
    }

    private static func simplified(_ name: String) -> String {
        String(name.prefix(64)).lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }

    /// How many letters must be put in, taken out, changed or swapped with their neighbour to make one word of the
    /// other.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var before: [Int] = []
        var above = Array(0...other.count)
        for row in one.indices {
            var line = [row + 1]
            for column in other.indices {
                let change = above[column] + (one[row] == other[column] ? 0 : 1)
                var best = min(change, above[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, before[column - 1] + 1)
                }
                line.append(best)
            }
            before = above
            above = line
        }
        return above[other.count]
    }
}
