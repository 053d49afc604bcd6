import Charging
import HTTPServer
import JSONText
import Testing

@testable import ChargeAPI

@Suite struct AnswerTests {
    private func result(
        _ status: ChargeStatus, id: String = "order-1", failure: ChargeFailure? = nil
    ) throws -> ChargeResult {
        ChargeResult(
            id: try ChargeID(validating: id), status: status, lane: "checkout", failure: failure, acceptedAt: 1,
            completedAt: 2)
    }

    @Test(arguments: [
        (ChargeStatus.succeeded, 200), (.authorized, 200), (.declined, 402), (.requiresAction, 402),
        (.notCharged, 402), (.rejected, 422), (.refused, 409), (.unknown, 202), (.parked, 202),
    ])
    func `each status has its HTTP status`(status: ChargeStatus, code: Int) {
        #expect(ChargeAnswer.status(of: status) == code)
    }

    @Test func `a buyer is not told that the card is stolen`() throws {
        let failure = ChargeFailure(
            code: "card_declined", declineCode: "stolen_card", advice: "do_not_try_again",
            message: "Your card was reported stolen.")
        let answer = BuyerAnswer.result(try result(.declined, failure: failure))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 402)
        #expect(text.contains(#""code":"generic_decline""#))
        #expect(!text.contains("stolen") && !text.contains("do_not_try_again"))
    }

    @Test(arguments: ChargeStatus.allCases)
    func `a buyer sees a sentence and nothing of Stripe's`(status: ChargeStatus) throws {
        let failure = ChargeFailure(code: "resource_missing", declineCode: "lost_card", message: "No such thing: x")
        let answer = BuyerAnswer.result(try result(status, failure: failure))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""message":""#))
        #expect(!text.contains("No such thing") && !text.contains("lost") && !text.contains("resource_missing"))
    }

    @Test func `the book keeps the highest rank and tells a contradiction`() throws {
        var book = ResultBook(capacity: 10)
        let id = try ChargeID(validating: "order-1")
        book.queued(id, lane: "checkout", acceptedAt: 1)
        #expect(book[id]?.status == nil)
        #expect(book.note(try result(.refused), body: [0]) == .news)
        #expect(book.note(try result(.unknown), body: [1]) == .news)
        #expect(book.note(try result(.refused), body: [0]) == .known)
        #expect(book.note(try result(.succeeded), body: [2]) == .news)
        #expect(book.note(try result(.succeeded), body: [3]) == .known)
        #expect(book.note(try result(.unknown), body: [4]) == .known)
        #expect(book.note(try result(.declined), body: [5]) == .contradiction)
        book.queued(id, lane: "checkout", acceptedAt: 9)
        #expect(book[id]?.body == [2])
        #expect(book[id]?.status == .succeeded)
    }

    @Test func `the book forgets the oldest`() throws {
        var book = ResultBook(capacity: 100)
        for number in 0..<350 {
            let result = try result(.succeeded, id: "c\(number)")
            #expect(book.note(result, body: []) == .news)
            #expect(book.note(result, body: []) == .known)
        }
        #expect(book.count == 100)
        #expect(book[try ChargeID(validating: "c249")] == nil)
        #expect(book[try ChargeID(validating: "c250")] != nil)
        #expect(book[try ChargeID(validating: "c349")] != nil)
    }

    @Test(arguments: Problem.Name.allCases)
    func `a problem is told as RFC 9457 has it`(name: Problem.Name) throws {
        let response = Problem(name, "what happened", id: "order-1", retryAfter: 2).response(requestID: "req-1")
        #expect(response.status == name.status)
        #expect(response.headers.first?.value == "application/problem+json")
        #expect(response.headers.contains { $0.name == "Retry-After" && $0.value == "2" })
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.hasPrefix(#"{"type":"/problems/\#(name.rawValue)","title":""#))
        #expect(text.contains(#""id":"order-1","request_id":"req-1""#))
    }

    @Test func `the description of the API is JSON and has its calls`() throws {
        var reader = JSONReader(OpenAPI.document)
        try reader.beginObject()
        var paths: [String] = []
        while let name = try reader.nextName() {
            guard name.matches("paths") else {
                try reader.skip()
                continue
            }
            try reader.beginObject()
            while let path = try reader.nextName() {
                paths.append(path.text)
                try reader.skip()
            }
        }
        try reader.end()
        #expect(paths == ["/v1/charges", "/v1/charges/{id}", "/charge", "/openapi.json", "/problems/{name}"])
    }
}
