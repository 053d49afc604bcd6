internal import Charging
internal import JSONText

/// A page of a list or a search.
struct StripePage {
    /// Its payments; objects of other kinds are left out.
    var payments: [StripeObject] = []
    /// The id of the last object of any kind that could be read: the next page's `starting_after`.
    var lastID: String?
    /// Whether there is more.
    var hasMore = false
    /// Where a search goes on.
    var nextPage: String?

    /// Reads a page; nil if it is none.
    static func read(_ json: inout JSONReader) throws(JSONError) -> StripePage? {
        var page = StripePage()
        var isPage = false
        try json.beginObject()
        while let name = try json.nextName() {
            if name.matches("object") {
                let object = try json.stringOrNil()
                isPage = object == "list" || object == "search_result"
            } else if name.matches("data") {
                guard try page.readData(&json) else { return nil }
            } else if name.matches("has_more") {
                page.hasMore = try json.boolOrNil() ?? false
            } else if name.matches("next_page") {
                page.nextPage = try json.stringOrNil()
            } else {
                try json.skip()
            }
        }
        return isPage ? page : nil
    }

    /// False where an object is unreadable: a page that hides a payment must not pass for one without it.
    private mutating func readData(_ json: inout JSONReader) throws(JSONError) -> Bool {
        guard try json.peek() == .array else { return false }
        try json.beginArray()
        while try json.nextElement() {
            guard try json.peek() == .object, let item = try ObjectReader.read(&json) else { return false }
            if case .payment(let payment) = item {
                payments.append(payment)
                lastID = payment.id
            }
        }
        return true
    }
}
