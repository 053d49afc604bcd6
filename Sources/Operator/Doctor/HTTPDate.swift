internal import JSONText

/// The time of an HTTP `Date` header (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Milliseconds since 1970 of `Tue, 01 Dec 2026 03:17:16 GMT`; nil for the two forms that nobody sends any more.
    static func milliseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]) else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return RFC3339.parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
    }
}
