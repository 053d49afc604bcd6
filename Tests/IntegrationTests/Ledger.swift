import Foundation

/// What the sandbox says it charged: the truth about money.
struct Ledger {
    struct Line: Decodable {
        let amount: Int
        let currency: String
        let status: String
        let metadata: [String: String]
        let idempotency_key: String?

        var id: String { metadata["chargeline_id"] ?? "" }
        var moved: Bool { status == "succeeded" || status == "authorized" }
    }

    let lines: [Line]

    init(text: String) throws {
        let decoder = JSONDecoder()
        lines = try text.split(separator: "\n").map { try decoder.decode(Line.self, from: Data($0.utf8)) }
    }

    /// How often each id was charged; ids that were not are left out.
    var charged: [String: Int] {
        lines.reduce(into: [:]) { counts, line in
            if line.moved { counts[line.id, default: 0] += 1 }
        }
    }

    func lines(of id: String) -> [Line] { lines.filter { $0.id == id } }
}
