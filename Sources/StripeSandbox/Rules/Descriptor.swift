/// The text on the buyer's statement (docs: statement descriptors).
enum Descriptor {
    /// The account's own part.
    static let prefix = "SANDBOX"
    private static let refused: Set<Character> = ["<", ">", "\\", "'", "\"", "*"]

    /// The whole text: prefix, star, space, suffix, 22 characters at most.
    static func calculated(suffix: String?) -> String {
        guard let suffix else { return prefix }
        return String("\(prefix)* \(suffix)".prefix(22))
    }

    /// A suffix: Latin, with a letter, without characters that statements cannot hold.
    static func suffix(_ parameters: Parameters) throws(StripeFailure) -> String? {
        try checked(parameters, "statement_descriptor_suffix")
    }

    static func checked(_ parameters: Parameters, _ name: String) throws(StripeFailure) -> String? {
        guard let text = try parameters.text(name, atMost: 22) else { return nil }
        guard !text.contains(where: refused.contains) else {
            throw StripeFailure(
                "The \(name) can't contain any of these characters: <, >, \\, ', \", *", code: "invalid_characters",
                param: name)
        }
        guard text.contains(where: { $0.isLetter && $0.isASCII }) else {
            throw .wrong(name, "The \(name) must contain at least one Latin letter.")
        }
        return text
    }
}
