import JSONText
import Testing

/// The reader against Foundation's. Every difference that is meant is named in `Difference`, and pinned by a test of
/// its own in FoundationDifferenceTests; any other fails here, with the seed that makes it again.
@Suite struct `JSON fuzzing against Foundation` {
    /// Where we mean to differ.
    enum Difference: Hashable {
        /// Foundation guesses UTF-16, UTF-32 and a byte order mark from the first bytes.
        case encoding
        /// Foundation passes over a comma before a closing bracket.
        case trailingComma
        /// Foundation nests to 512.
        case depth
        /// Foundation takes numbers of any length.
        case numberLength
        /// Foundation refuses a document for a number beyond Double anywhere in it; here only who reads it is refused.
        case hugeNumber
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `valid documents are read alike`(seed: UInt64) {
        var maker = JSONTextMaker(seed: seed)
        let seen = compare(rounds: 4000) { maker.document() }
        #expect(seen.accepted > 3000)
        #expect(seen.differences == [.hugeNumber])
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `damaged documents are read alike`(seed: UInt64) {
        var maker = JSONTextMaker(seed: seed &* 1000)
        let seen = compare(rounds: 8000) { maker.damaged() }
        #expect(seen.accepted > 500 && seen.accepted < 7000)
        #expect(seen.differences.contains(.trailingComma))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `noise is read alike`(seed: UInt64) {
        var maker = JSONTextMaker(seed: seed &* 1_000_000)
        let seen = compare(rounds: 10_000) { maker.noise() }
        #expect(seen.accepted > 10)
    }

    /// A writer's text is read by Foundation as what was written.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `what is written is read alike`(seed: UInt64) throws {
        var maker = JSONTextMaker(seed: seed)
        for _ in 0..<2000 {
            guard let tree = try? JSONTree.read(maker.document()), !tree.hasHugeNumber else { continue }
            var writer = JSONWriter()
            tree.write(to: &writer)
            let bytes = writer.finish()
            let again = try #require(JSONTree.foundation(bytes))
            try #require(tree.agrees(with: again), "\(String(decoding: bytes, as: UTF8.self))")
            try #require(try JSONTree.read(bytes) == tree)
        }
    }

    private func compare(
        rounds: Int, _ make: () -> [UInt8]
    ) -> (accepted: Int, differences: Set<Difference>) {
        var accepted = 0
        var differences: Set<Difference> = []
        for round in 0..<rounds {
            let bytes = make()
            do throws(JSONError) {
                let ours = try JSONTree.read(bytes)
                accepted += 1
                guard skips(bytes) else { return complain("skip() refuses", bytes, round) }
                if let theirs = JSONTree.foundation(bytes) {
                    guard ours.agrees(with: theirs) else { return complain("\(ours) is not \(theirs)", bytes, round) }
                } else {
                    guard ours.hasHugeNumber else { return complain("only we accept", bytes, round) }
                    differences.insert(.hugeNumber)
                }
            } catch {
                guard !skips(bytes) else { return complain("only skip() accepts", bytes, round) }
                guard JSONTree.foundation(bytes) != nil else { continue }
                guard let reason = explain(error, bytes) else { return complain("\(error)", bytes, round) }
                differences.insert(reason)
            }
        }
        return (accepted, differences)

        func complain(_ what: String, _ bytes: [UInt8], _ round: Int) -> (Int, Set<Difference>) {
            Issue.record("round \(round): \(what): \(String(decoding: bytes, as: UTF8.self).debugDescription) \(bytes)")
            return (accepted, differences)
        }
    }

    private func skips(_ bytes: [UInt8]) -> Bool {
        var reader = JSONReader(bytes)
        guard let range = try? reader.skipReturningRange(), (try? reader.end()) != nil else { return false }
        return !bytes[range].isEmpty
    }

    private func explain(_ error: JSONError, _ bytes: [UInt8]) -> Difference? {
        let head = bytes.prefix(4)
        if head.contains(0) || head.starts(with: [0xEF, 0xBB, 0xBF]) || head.starts(with: [0xFE, 0xFF])
            || head.starts(with: [0xFF, 0xFE])
        {
            return .encoding
        }
        switch error.code {
        case .tooDeep: return .depth
        case .numberTooLong: return .numberLength
        case .unexpectedByte where bytes[error.offset] == UInt8(ascii: "]") || bytes[error.offset] == UInt8(ascii: "}"):
            let before = bytes[..<error.offset].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
            return before == UInt8(ascii: ",") ? .trailingComma : nil
        default: return nil
        }
    }
}
