internal import Settings

/// Names what was probably meant.
enum NearestWord {
    /// `, did you mean batch?`, or nothing.
    static func hint(for word: String, among known: [String]) -> String {
        NearestName.of(word, among: known).map { " (did you mean \($0)?)" } ?? ""
    }
}
