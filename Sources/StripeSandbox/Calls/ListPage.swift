/// A page of a list, newest first (docs: pagination): which objects, by number.
struct ListPage {
    /// `created`, `created[gte]`, …: seconds since 1970.
    struct Created {
        var least = Int64.min
        var most = Int64.max

        static func read(_ parameters: Parameters) throws(StripeFailure) -> Created {
            var range = Created()
            if let exact = try parameters.integer("created") { (range.least, range.most) = (exact, exact) }
            if let bound = try parameters.integer("created[gte]") { range.least = max(range.least, bound) }
            if let bound = try parameters.integer("created[gt]") { range.least = max(range.least, bound &+ 1) }
            if let bound = try parameters.integer("created[lte]") { range.most = min(range.most, bound) }
            if let bound = try parameters.integer("created[lt]") { range.most = min(range.most, bound &- 1) }
            return range
        }

        /// - Parameter milliseconds: since 1970.
        func holds(_ milliseconds: Int64) -> Bool {
            let seconds = milliseconds / 1_000
            return seconds >= least && seconds <= most
        }
    }

    var numbers: [Int] = []
    var hasMore = false

    static func limit(_ parameters: Parameters) throws(StripeFailure) -> Int {
        guard let limit = try parameters.integer("limit") else { return 10 }
        guard (1...100).contains(limit) else {
            throw StripeFailure(
                limit < 1
                    ? "This value must be greater than or equal to 1."
                    : "This value must be less than or equal to 100 (it currently is '\(limit)').",
                code: "parameter_invalid_integer", param: "limit")
        }
        return Int(limit)
    }

    /// - Parameters:
    ///   - count: how many objects there are; their numbers ascend with age.
    ///   - after: the number behind which the page begins, of `starting_after`.
    ///   - before: the number before which the page ends, of `ending_before`.
    ///   - holds: whether an object belongs to the list.
    static func find(
        count: Int, limit: Int, after: Int?, before: Int?, where holds: (Int) -> Bool
    ) -> ListPage {
        var page = ListPage()
        if let before {
            // Walks from the cursor to the newer ones, so that the page is the one that touches the cursor.
            var number = before + 1
            while number < count, page.numbers.count <= limit {
                if holds(number) { page.numbers.append(number) }
                number += 1
            }
            page.hasMore = page.numbers.count > limit
            page.numbers = page.numbers.prefix(limit).reversed()
            return page
        }
        var number = (after ?? count) - 1
        while number >= 0, page.numbers.count <= limit {
            if holds(number) { page.numbers.append(number) }
            number -= 1
        }
        page.hasMore = page.numbers.count > limit
        page.numbers = Array(page.numbers.prefix(limit))
        return page
    }
}
