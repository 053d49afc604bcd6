import Foundation
import TestSupport
import Testing

/// One result, as far as the tests look.
struct TakenResult: Decodable, Sendable {
    struct Failure: Decodable, Sendable {
        let code: String
        let param: String?
    }

    let id: String
    let event: String
    let sequence: Int
    let final: Bool
    let status: String
    let amount: Int?
    let currency: String?
    let lane: String
    let correlation_id: String?
    let failure: Failure?
}

/// The service that tells the buyers: `chargeline results --take`, and what it took.
actor ResultsTaker {
    let program: Program
    private(set) var all: [TakenResult] = []
    private(set) var finals: [String: Set<String>] = [:]
    private(set) var status: [String: String] = [:]
    private var read = 0

    init(_ site: Site) async throws {
        program = try await site.start(["results", "--take", "--json"])
    }

    /// Takes results until each of these charges has its final one.
    func untilFinal(_ ids: some Sequence<String>) async throws {
        var open = Set(ids).subtracting(finals.keys)
        while !open.isEmpty {
            do {
                let result = try await next()
                if result.final { open.remove(result.id) }
            } catch {
                Issue.record("\(open.count) without a final result, such as \(open.prefix(3)); \(error)")
                throw error
            }
        }
    }

    /// The next result; of any charge.
    @discardableResult
    func next() async throws -> TakenResult {
        let number = read
        read += 1
        let line = try await program.output.line(number)
        let result = try JSONDecoder().decode(TakenResult.self, from: Data(line.utf8))
        all.append(result)
        if result.final {
            finals[result.id, default: []].insert(result.event)
            status[result.id] = result.status
        }
        return result
    }

    func first(_ id: String) async throws -> TakenResult {
        if let known = all.first(where: { $0.id == id }) { return known }
        while true {
            let result = try await next()
            if result.id == id { return result }
        }
    }

    /// Every accepted charge has one final result, which says what the ledger says, and nothing was charged twice.
    func audit(
        accepted: some Collection<String>, _ ledger: Ledger, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let charged = ledger.charged
        let doubled = charged.filter { $0.value > 1 }
        #expect(doubled.isEmpty, "charged more than once", sourceLocation: sourceLocation)
        let lost = accepted.filter { finals[$0] == nil }
        #expect(lost.isEmpty, "accepted and lost", sourceLocation: sourceLocation)
        let ambiguous = finals.filter { $0.value.count > 1 }
        #expect(ambiguous.isEmpty, "two different final results", sourceLocation: sourceLocation)
        for (id, status) in status {
            let moved = status == "succeeded" || status == "authorized"
            if moved != (charged[id] == 1) {
                Issue.record("\(id) is \(status), the ledger has \(charged[id] ?? 0)", sourceLocation: sourceLocation)
            }
        }
    }
}
