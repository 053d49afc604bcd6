/// The caller's own key and value pairs, sorted by the bytes of the key: the order in which they are sent to Stripe, so
/// that a retry is the same bytes whatever order the body had.
public struct ChargeMetadata: Hashable, Sendable {
    /// One pair.
    public struct Pair: Hashable, Sendable {
        /// 1 to 40 characters, without brackets.
        public let key: String
        /// Up to 500 characters.
        public let value: String

        /// A pair, unchecked.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Stripe keeps 50 pairs; two are ours.
    public static let maximumCount = 48
    /// Keys with this beginning are ours.
    public static let reservedPrefix = "chargeline_"

    /// The pairs in order.
    public private(set) var pairs: [Pair]

    /// No metadata.
    public init() {
        pairs = []
    }

    /// The pairs in any order, unchecked; `ChargeRules` finds doubled keys and every other fault.
    public init(_ pairs: [Pair]) {
        self.pairs = pairs
        sort()
    }

    /// Whether there are no pairs.
    public var isEmpty: Bool { pairs.isEmpty }
    /// How many pairs there are.
    public var count: Int { pairs.count }

    /// The value of `key`, nil when it is not there.
    public subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

    private mutating func sort() {
        // Nearly every charge has one pair or comes sorted (our own canonical body does).
        for index in pairs.indices.dropFirst() where ChargeMetadata.precedes(pairs[index], pairs[index - 1]) {
            pairs.sort(by: ChargeMetadata.precedes)
            return
        }
    }

    private static func precedes(_ one: Pair, _ other: Pair) -> Bool {
        one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
}

extension ChargeMetadata: ExpressibleByDictionaryLiteral {
    /// `["order": "1001"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Pair(key: $0.0, value: $0.1) })
    }
}
