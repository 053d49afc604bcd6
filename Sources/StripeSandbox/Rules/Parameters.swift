/// Reads a call's parameters by type, with Stripe's answer for what does not fit.
struct Parameters {
    let form: FormFields

    init(_ form: FormFields, knowing known: ParameterSet) throws(StripeFailure) {
        if let unknown = known.firstUnknown(in: form) { throw .unknown(unknown) }
        self.form = form
    }

    /// A text; an empty one counts as not sent.
    func text(_ name: String, atMost length: Int = 5_000) throws(StripeFailure) -> String? {
        guard let value = form[name], !value.isEmpty else { return nil }
        // A text of few bytes has few characters: most need no counting.
        guard value.utf8.count <= length || value.count <= length else {
            throw .wrong(name, "Invalid string: \(value.prefix(10))…; must be at most \(length) characters")
        }
        return value
    }

    func requiredText(_ name: String) throws(StripeFailure) -> String {
        guard let value = form[name] else { throw .missing(name) }
        guard !value.isEmpty else { throw .empty(name) }
        return value
    }

    /// `true` or `false`.
    func flag(_ name: String, default fallback: Bool = false) throws(StripeFailure) -> Bool {
        guard let value = form[name], !value.isEmpty else { return fallback }
        guard value == "true" || value == "false" else { throw .wrong(name, "Invalid boolean: \(value)") }
        return value == "true"
    }

    func word(_ name: String, among words: String...) throws(StripeFailure) -> String? {
        guard let value = try text(name) else { return nil }
        guard words.contains(value) else {
            throw .wrong(name, "Invalid \(name): must be one of \(words.joined(separator: ", "))")
        }
        return value
    }

    /// Decimal digits; a sign is read, so that the answer can be about the range.
    func integer(_ name: String) throws(StripeFailure) -> Int64? {
        guard let value = form[name], !value.isEmpty else { return nil }
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(value)
        else { throw .notInteger(name, value) }
        return number
    }

    func email(_ name: String) throws(StripeFailure) -> String? {
        guard let value = try text(name, atMost: 512) else { return nil }
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), !parts[1].hasPrefix("."),
            !parts[1].hasSuffix("."), !value.contains(where: \.isWhitespace)
        else {
            throw StripeFailure("Invalid email address: \(value)", code: "email_invalid", param: name)
        }
        return value
    }

    /// `metadata`: 50 pairs, names of 40 characters, values of 500 (docs: metadata; stripe-php#246).
    func metadata() throws(StripeFailure) -> [FormFields.Field] {
        let pairs = form.members(of: "metadata")
        guard pairs.count <= 50 else {
            throw .wrong("metadata", "Metadata can have up to 50 keys, but you passed in \(pairs.count) keys.")
        }
        for pair in pairs {
            guard pair.name.count <= 40 else {
                throw .wrong(
                    "metadata",
                    "Metadata keys can have up to 40 characters: the key must be a string under 40 characters, but you "
                        + "passed in a key that is \(pair.name.count) characters.")
            }
            guard pair.value.utf8.count <= 500 || pair.value.count <= 500 else {
                throw .wrong(
                    "metadata",
                    "Metadata values can have up to 500 characters: the value of '\(pair.name)' must be a string under "
                        + "500 characters, but it is \(pair.value.count) characters.")
            }
        }
        return pairs
    }
}
