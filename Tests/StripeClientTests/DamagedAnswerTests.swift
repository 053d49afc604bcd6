import Charging
import Testing

@testable import HTTPClient
@testable import StripeClient

/// Answers as they never should come. Whatever it is, it must not be read as a payment that Stripe did not name.
struct DamagedAnswerTests {
    private static func read(_ status: Int, _ body: [UInt8]) -> StripeOutcome {
        // Index 0 of the captured headers is Request-Id.
        let headers = ReplyHeaders(names: AnswerReader.headers, records: [0, 0, 5] + Array("req_1".utf8))
        return AnswerReader.read(
            .reply(HTTPReply(status: status, headers: headers, body: body, version: .http11, madeConnection: false)))
    }

    @Test(arguments: [(200, Answers.intent()), (200, Answers.charge), (402, Answers.declined)])
    func everyTruncationIsNotStripes(status: Int, text: String) throws {
        let whole = Array(text.utf8)
        guard case .answered = Self.read(status, whole) else { throw Unexpected(what: "the whole is unreadable") }
        for length in 0..<whole.count {
            let outcome = Self.read(status, Array(whole[..<length]))
            guard case .notStripe = outcome else { throw Unexpected(what: "\(length) bytes: \(outcome)") }
        }
    }

    @Test(arguments: ["id", "status"])
    func aPaymentWithoutANameIsNotStripes(field: String) throws {
        let text = Answers.charge.replacing("\"\(field)\":\"", with: "\"\(field)\":\"\",\"x\":\"")
        guard case .notStripe = Self.read(200, Array(text.utf8)) else { throw Unexpected(what: "taken: \(text)") }
    }

    @Test(arguments: 0..<8)
    func noDamageIsTakenForAnotherPayment(seed: UInt64) throws {
        var chance = Chance(state: seed &* 7919 + 1)
        let texts = [Answers.intent(), Answers.charge, Answers.failedCharge].map { Array($0.utf8) }
        for _ in 0..<2000 {
            var body = texts[Int(chance.next() % 3)]
            for _ in 0...(chance.next() % 3) {
                let at = Int(chance.next() % UInt64(body.count))
                switch chance.next() % 3 {
                case 0: body[at] = UInt8(truncatingIfNeeded: chance.next())
                case 1: body.remove(at: at)
                default: body.insert(contentsOf: body[at..<min(at + 9, body.count)], at: at)
                }
            }
            switch Self.read(200, body) {
            case .notStripe: break
            case .answered(let answer):
                guard answer.requestID == "req_1", answer.status == 200 else { throw Unexpected(what: "\(answer)") }
                if case .error = answer.body { throw Unexpected(what: "an error in a 200: \(answer)") }
            case .noAnswer, .notSent: throw Unexpected(what: "an answer was called none")
            }
        }
    }
}

private struct Chance {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
