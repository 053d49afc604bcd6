/// Stripe's search language (docs: search): clauses `field:'value'` joined by AND or OR, never both; `-` turns one
/// around.
struct SearchQuery {
    enum Operation: String {
        case equal = ":"
        case contains = "~"
        case less = "<"
        case greater = ">"
        case atMost = "<="
        case atLeast = ">="
    }

    enum Value: Equatable {
        case text(String)
        case number(Int64)
        case null
    }

    struct Clause {
        /// `status`, or `metadata` with its key.
        let field: String
        let key: String?
        let operation: Operation
        let value: Value
        let isNegated: Bool
    }

    /// Why a query cannot be read.
    struct Problem: Error {
        let message: String
    }

    private(set) var clauses: [Clause] = []
    private(set) var isAny = false

    init(_ text: String) throws(Problem) {
        var scan = Scan(text)
        scan.space()
        var joiners: Set<String> = []
        while !scan.isAtEnd {
            if !clauses.isEmpty, let joiner = scan.joiner() { joiners.insert(joiner) }
            clauses.append(try scan.clause())
            scan.space()
        }
        guard !clauses.isEmpty else { throw Problem(message: "The query is empty.") }
        guard joiners.count < 2 else {
            throw Problem(message: "You cannot combine AND and OR operators in a single search query.")
        }
        isAny = joiners.contains("or")
    }

    /// The chargeline id that every hit must have, if the query says so.
    var chargeID: String? {
        guard !isAny || clauses.count == 1 else { return nil }
        for clause in clauses where clause.key == Metadata.chargeID && clause.operation == .equal && !clause.isNegated {
            if case .text(let id) = clause.value { return id }
        }
        return nil
    }

    /// Whether an object is a hit.
    ///
    /// - Parameter look: the value of a field; nil where the object has none.
    func matches(_ look: (Clause) -> Value?) -> Bool {
        isAny
            ? clauses.contains { holds($0, look($0)) }
            : clauses.allSatisfy { holds($0, look($0)) }
    }

    private func holds(_ clause: Clause, _ found: Value?) -> Bool {
        Self.compare(found, clause.operation, clause.value) != clause.isNegated
    }

    /// Texts compare without regard to case.
    private static func compare(_ found: Value?, _ operation: Operation, _ wanted: Value) -> Bool {
        switch (found, wanted) {
        case (nil, .null): return operation == .equal
        case (.text(let found)?, .text(let wanted)):
            switch operation {
            case .equal: return found.lowercased() == wanted.lowercased()
            case .contains: return found.lowercased().contains(wanted.lowercased())
            default: return false
            }
        case (.number(let found)?, .number(let wanted)):
            switch operation {
            case .equal: return found == wanted
            case .contains: return false
            case .less: return found < wanted
            case .greater: return found > wanted
            case .atMost: return found <= wanted
            case .atLeast: return found >= wanted
            }
        case (.number(let found)?, .text(let wanted)):
            return operation == .equal && String(found) == wanted
        case (.text(let found)?, .number(let wanted)):
            return operation == .equal && found == String(wanted)
        default: return false
        }
    }
}

extension SearchQuery {
    /// Reads a query from left to right.
    private struct Scan {
        private let text: [Character]
        private var at = 0

        init(_ text: String) {
            self.text = Array(text)
        }

        var isAtEnd: Bool { at >= text.count }
        private var next: Character? { at < text.count ? text[at] : nil }

        mutating func space() {
            while let character = next, character.isWhitespace { at += 1 }
        }

        private mutating func take(_ wanted: Character) -> Bool {
            guard next == wanted else { return false }
            at += 1
            return true
        }

        private mutating func word() -> String {
            let start = at
            while let character = next, character.isLetter || character.isNumber || "_.".contains(character) { at += 1 }
            return String(text[start..<at])
        }

        /// `and` or `or`; a space alone stands for AND.
        mutating func joiner() -> String? {
            let start = at
            let word = word().lowercased()
            if word == "and" || word == "or", next?.isWhitespace == true {
                space()
                return word
            }
            at = start
            return nil
        }

        mutating func clause() throws(Problem) -> Clause {
            let isNegated = take("-")
            let field = word()
            guard !field.isEmpty else { throw unreadable }
            var key: String?
            if take("[") {
                key = try quoted()
                guard take("]") else { throw unreadable }
            }
            let operation = try operation()
            return Clause(field: field, key: key, operation: operation, value: try value(), isNegated: isNegated)
        }

        private mutating func operation() throws(Problem) -> Operation {
            guard let first = next, let single = Operation(rawValue: String(first)) else { throw unreadable }
            at += 1
            if single == .less, take("=") { return .atMost }
            if single == .greater, take("=") { return .atLeast }
            return single
        }

        private mutating func value() throws(Problem) -> Value {
            if next == "'" || next == "\"" { return .text(try quoted()) }
            let isNegative = take("-")
            let word = word()
            if word.lowercased() == "null" { return .null }
            if let number = Int64(word) { return .number(isNegative ? -number : number) }
            guard !word.isEmpty else { throw unreadable }
            return .text(word)
        }

        /// A text in either kind of quotes; a backslash takes the next character as it is.
        private mutating func quoted() throws(Problem) -> String {
            guard let quote = next, quote == "'" || quote == "\"" else { throw unreadable }
            at += 1
            var result = ""
            while let character = next {
                at += 1
                if character == quote { return result }
                if character == "\\", let escaped = next {
                    at += 1
                    result.append(escaped)
                } else {
                    result.append(character)
                }
            }
            throw unreadable
        }

        private var unreadable: Problem {
            let place = at < text.count ? "at character \(at + 1)" : "at its end"
            return Problem(
                message: "We were unable to parse your search query \(place). Try using the format "
                    + "`metadata[\"key\"]:\"value\"` to query for metadata or key:\"value\" to query for other fields.")
        }
    }
}
