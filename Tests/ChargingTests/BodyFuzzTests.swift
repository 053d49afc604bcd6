import Testing

@testable import Charging

/// Good bodies, broken at random: nothing may crash, and nothing that is said about them may repeat the token or the
/// card number.
@Suite struct BodyFuzzTests {
    private static let card = "4242424242424242"

    private static let seeds: [[UInt8]] = [
        ChargeBodies.json([
            "description": "\"Two puppies\"", "metadata": "{\"order\":\"1001\",\"n\":7}",
            "receipt_email": "\"buyer@example.com\"",
            "customer": "\"cus_NffrFeUfNV2Hib\"", "capture": "false", "not_after": "\"2026-01-02T03:04:05Z\"",
            "livemode": "false",
        ]),
        ChargeBodies.json(["number": "\"\(card)\"", "card": "{\"number\":\(card),\"cvc\":\"123\"}"]),
        ChargeBodies.json([
            "description": "\"\(card)\"", "metadata": "{\"\(card)\":\"\(card)\",\"t\":\"\(ChargeBodies.token)\"}",
        ]),
        ChargeBodies.json(["token": "\"\(card)\"", "id": "\"\(card)\"", "x_a": "\(card)"]),
        Array(
            "id=a&token=\(ChargeBodies.token)&amount=1999&currency=usd&metadata[\(card)]=\(card)&card[number]=\(card)"
                .utf8),
    ]

    @Test(arguments: 0..<8)
    func `mutated bodies`(seed: Int) {
        var generator = SplitMix(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var taken = 0
        for round in 0..<600 {
            var body = Self.seeds[round % Self.seeds.count]
            if round >= Self.seeds.count {
                for _ in 0...Int.random(in: 0..<4, using: &generator) { Self.mutate(&body, &generator) }
            }
            for flow in Flow.allCases {
                if Self.reads(body, flow, isForm: false) { taken += 1 }
                if Self.reads(body, flow, isForm: true) { taken += 1 }
            }
            _ = try? ChargeResult(json: body)
            let text = String(decoding: body, as: UTF8.self)
            if Scrubber.scrub(text).contains(ChargeBodies.token) { Issue.record("not scrubbed: \(text)") }
            let masked = String(decoding: CardNumbers.masked(body), as: UTF8.self)
            if masked.contains(Self.card) { Issue.record("not masked: \(text)") }
        }
        #expect(taken > 0)
    }

    private static func reads(_ body: [UInt8], _ flow: Flow, isForm: Bool) -> Bool {
        do {
            let request =
                isForm
                ? try ChargeRequest(form: body, fallbackID: nil, flow: flow)
                : try ChargeRequest(json: body, fallbackID: nil, flow: flow)
            check(request, flow)
            return true
        } catch {
            check(error)
            return false
        }
    }

    private static func check(_ problems: ChargeRequestProblems) {
        if problems.problems.isEmpty { Issue.record("refused without a problem") }
        for problem in problems.problems {
            let said = "\(problem.field) | \(problem.pointer) | \(problem.message) | \(problems.id?.text ?? "")"
            if said.contains(ChargeBodies.token) || CardNumbers.isPresent(in: said) {
                Issue.record("repeated: \(said)")
            }
        }
    }

    /// What was taken holds no card number anywhere, and reads back the same.
    private static func check(_ request: ChargeRequest, _ flow: Flow) {
        let body = String(decoding: request.json(), as: UTF8.self)
        if (try? ChargeRequest(json: request.json(), flow: flow)) != request {
            Issue.record("reads back otherwise: \(body)")
        }
        var clear = request
        clear.token = nil
        let shown = String(decoding: clear.json(), as: UTF8.self)
        if CardNumbers.isPresent(in: shown) || shown.contains(ChargeBodies.token) { Issue.record("taken: \(shown)") }
    }

    private static func mutate(_ body: inout [UInt8], _ generator: inout SplitMix) {
        guard !body.isEmpty else { return }
        let at = Int.random(in: 0..<body.count, using: &generator)
        let end = min(body.count, at + Int.random(in: 1...12, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: body[at] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: body.removeSubrange(at..<end)
        case 2: body.insert(contentsOf: body[at..<end], at: at)
        case 3: body[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 4:
            body.insert(
                [0x22, 0x7B, 0x7D, 0x2C, 0x3A, 0x5C, 0x26, 0x25, 0x5B, 0x30].randomElement(using: &generator) ?? 0,
                at: at)
        default: body.swapAt(at, Int.random(in: 0..<body.count, using: &generator))
        }
    }
}

/// Steele, Lea and Flood's SplitMix64: the same numbers from the same seed everywhere.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
