import Testing

@testable import Charging

/// Bodies for tests: a good one, and good ones with something put in its place.
enum ChargeBodies {
    /// A one-time token that no problem may repeat.
    static let token = "tok_1N3T00LkdIwHu7ixt44h1F8k"

    /// The least fields of a charge as JSON, some of them set to other JSON, or taken out (nil).
    static func json(_ changes: KeyValuePairs<String, String?> = [:]) -> [UInt8] {
        var fields: [(String, String?)] = [
            ("id", "\"a-1\""), ("token", "\"\(token)\""), ("amount", "1999"), ("currency", "\"usd\""),
        ]
        for (name, value) in changes {
            if let place = fields.firstIndex(where: { $0.0 == name }) {
                fields[place].1 = value
            } else {
                fields.append((name, value))
            }
        }
        let members = fields.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    /// The problems of a JSON body; empty when it is a charge.
    static func problems(_ json: [UInt8], fallbackID: String? = nil, flow: Flow = .paymentIntents) -> [FieldProblem] {
        do {
            _ = try ChargeRequest(json: json, fallbackID: fallbackID, flow: flow)
            return []
        } catch {
            return error.problems
        }
    }

    /// The same, each as `field code`.
    static func faults(_ json: [UInt8], fallbackID: String? = nil, flow: Flow = .paymentIntents) -> [String] {
        problems(json, fallbackID: fallbackID, flow: flow).map { "\($0.field) \($0.code.rawValue)" }
    }
}
