/// The open containers, outermost first, a bit each: no array to grow.
struct JSONNesting {
    /// How many are open.
    private(set) var count: Int
    /// A container was opened and nothing of it has been read.
    var isFresh = false
    private let limit: Int
    private var objects: UInt64 = 0

    init(count: Int = 0, limit: Int) {
        self.count = count
        self.limit = limit
    }

    /// Whether the innermost is an object; false when none is open.
    var isObject: Bool { count > 0 && objects & 1 == 1 }

    /// Whether the innermost is an array; false when none is open.
    var isArray: Bool { count > 0 && objects & 1 == 0 }

    mutating func push(object: Bool, at offset: Int) throws(JSONError) {
        guard count < limit else { throw JSONError(.tooDeep, at: offset) }
        count += 1
        objects = objects << 1 | (object ? 1 : 0)
    }

    mutating func pop() {
        count -= 1
        objects >>= 1
    }
}
