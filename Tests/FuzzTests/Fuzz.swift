import FoundationEssentials
import TestSupport
import Testing

/// One reader of outside bytes under a rain of them.
enum Fuzz {
    /// `CHARGELINE_FUZZ_ROUNDS`: inputs for each reader; `scripts/fuzz` asks for more.
    static let rounds = ProcessInfo.processInfo.environment["CHARGELINE_FUZZ_ROUNDS"].flatMap(Int.init) ?? 3000
    /// `CHARGELINE_SEED`: where the inputs begin, drawn and told otherwise.
    static let seed =
        ProcessInfo.processInfo.environment["CHARGELINE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)

    /// Reads damaged inputs; `read` returns what it found wrong, else nil. A trap or a hang ends the whole run.
    static func run(
        _ what: String, _ corpus: [String], sourceLocation: SourceLocation = #_sourceLocation,
        _ read: @escaping @Sendable ([UInt8]) -> String?
    ) async {
        let wrong = await Labour.run { () -> [String] in
            var mutator = Mutator(corpus, seed: seed)
            var wrong: [String] = []
            for _ in 0..<rounds where wrong.count < 5 {
                let input = mutator.input()
                if let found = read(input) {
                    wrong.append("\(found): \(String(decoding: input, as: UTF8.self).debugDescription)")
                }
            }
            return wrong
        }
        for one in wrong { Issue.record("\(what), seed \(seed): \(one)", sourceLocation: sourceLocation) }
        print("fuzzed \(what): \(rounds) inputs from seed \(seed)")
    }
}

/// What no reader may repeat.
enum Canary {
    static let token = "tok_1CanaryCanaryCanary00"
    static let key = "sk_test_CanaryCanaryCanary00"
    static let card = "4000056655665556"
    private static let all = [token, key, card]

    /// The one that the text holds, if any.
    static func found(in text: String) -> String? { all.first { text.contains($0) }.map { "repeats \($0)" } }
}
