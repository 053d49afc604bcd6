internal import HTTPServer

/// Reads form text as Stripe takes it: brackets nest, `a[]` appends to a list, a name given twice keeps its last
/// value.
enum FormParser {
    /// Far over what any call needs; a longer form is refused before work is spent on it.
    static let fieldsMax = 1_000

    /// Nil for text that is no form: a bad escape, not UTF-8, or too many fields.
    static func parse(_ text: some Collection<UInt8>) -> FormFields? {
        guard let pairs = HTTPForm.parse(text), pairs.count <= fieldsMax else { return nil }
        var form = FormFields()
        var appended: [String: Int] = [:]
        for pair in pairs { form.set(numbered(pair.name, &appended), pair.value) }
        return form
    }

    /// `a[]` becomes `a[0]`, then `a[1]`: both spellings of a list are one from here on.
    private static func numbered(_ name: String, _ appended: inout [String: Int]) -> String {
        guard name.hasSuffix("[]") else { return name }
        let count = appended[name, default: 0]
        appended[name] = count + 1
        return "\(name.dropLast(2))[\(count)]"
    }
}
