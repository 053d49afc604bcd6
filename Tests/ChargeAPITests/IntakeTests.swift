import Charging
import HTTPServer
import Settings
import Testing

@testable import ChargeAPI

@Suite struct IntakeTests {
    private let shop = Caller(id: "shop")
    private let one = Intake(flow: .paymentIntents, lanes: ["checkout", "batch"], callersAreMany: false)
    private let many = Intake(flow: .paymentIntents, lanes: ["checkout"], callersAreMany: true)

    private func read(
        _ intake: Intake, _ body: String, key: String? = nil, type: String? = "application/json", caller: Caller? = nil
    ) throws(Problem) -> ChargeRequest {
        var generator = SystemChance()
        return try intake.read(
            Array(body.utf8), contentType: type, key: key, caller: caller ?? shop, using: &generator)
    }

    @Test func `the body's id comes first, then the key, then a one-time token, then chance`() throws {
        let token = "tok_1N3T00LkdIwHu7ixt44h1F8k"
        let full = #"{"id":"order-1","token":"\#(token)","amount":100,"currency":"usd"}"#
        let anonymous = #"{"token":"\#(token)","amount":100,"currency":"usd"}"#
        let reusable = #"{"token":"tok_visa","amount":100,"currency":"usd"}"#
        #expect(try read(one, full, key: "8f14e45f").id.text == "order-1")
        #expect(try read(one, anonymous, key: "8f14e45f").id.text == "ik_71777c40b2767e805ecd264727a8f067a615b3d6")
        #expect(try read(one, anonymous).id.text == "tk_08f2ffc1032ce6194a9f777719e6db02b77176a8")
        let made = try read(one, reusable).id.text
        #expect(made.hasPrefix("cl_") && made.utf8.count == 27)
        #expect(try read(one, reusable).id.text != made)
        let nobody = Caller(id: "")
        #expect(
            try read(one, reusable, key: "a", caller: nobody).id.text == "ik_7361a6f4b374745deaf896ac72887d55e04107d1")
    }

    @Test func `with several callers the id begins with its caller's`() throws {
        let body = #"{"id":"order-1","token":"tok_visa","amount":100,"currency":"usd"}"#
        #expect(try read(many, body).id.text == "shop:order-1")
        #expect(try read(many, body, caller: Caller(id: "app")).id.text == "app:order-1")
        let keyed = #"{"token":"tok_visa","amount":100,"currency":"usd"}"#
        #expect(
            try read(many, keyed, key: "8f14e45f").id.text == "shop:ik_71777c40b2767e805ecd264727a8f067a615b3d6")
        let long = String(repeating: "x", count: 196)
        let problem = #expect(throws: Problem.self) {
            try read(many, #"{"id":"\#(long)","token":"tok_visa","amount":100,"currency":"usd"}"#)
        }
        #expect(problem?.errors.map(\.pointer) == ["/id"])
    }

    @Test func `another caller's id leads to no charge of its own`() {
        #expect(
            many.candidates(for: "shop:order-1", caller: shop).map(\.text) == ["shop:order-1", "shop:shop:order-1"])
        #expect(many.candidates(for: "order-1", caller: shop).map(\.text) == ["shop:order-1"])
        #expect(many.candidates(for: "app:order-1", caller: shop).map(\.text) == ["shop:app:order-1"])
        #expect(one.candidates(for: "app:order-1", caller: shop).map(\.text) == ["app:order-1"])
        #expect(one.candidates(for: "no spaces", caller: shop).isEmpty)
    }

    @Test func `the apps' form is read as it is posted`() throws {
        let form = "token=tok_visa&amount=1999&currency=usd&description=Two+Puppies%21"
        let request = try read(one, form, type: "application/x-www-form-urlencoded; charset=utf-8")
        #expect(request.amount == 1999)
        #expect(request.description == "Two Puppies!")
    }

    @Test(arguments: [
        (#"{"amount":"1","currency":"usd","token":"tok_visa"}"#, Problem.Name.invalidField, ["/amount"]),
        (#"{"amount":1999,"currency":"xxx","token":"card"}"#, .invalidField, ["/currency", "/token"]),
        (#"{"amount":1999,"currency":"usd","token":"tok_visa","amuont":1}"#, .invalidField, ["/amuont"]),
        (#"{"amount":1999,"currency":"usd","token":"4242424242424242"}"#, .cardNumber, ["/token"]),
        (#"{"amount":1999,"#, .invalidBody, [""]), ("[]", .invalidBody, [""]), ("", .invalidBody, [""]),
    ])
    func `a wrong body names its fields`(body: String, name: Problem.Name, pointers: [String]) {
        let problem = #expect(throws: Problem.self) { try read(one, body) }
        #expect(problem?.name == name)
        #expect(problem?.errors.map(\.pointer) == pointers)
        #expect(problem?.id == nil)
        let text = String(decoding: problem?.response(requestID: "r1").body ?? [], as: UTF8.self)
        #expect(!text.contains("4242"))
    }

    @Test(arguments: [nil, "", "text/plain", "multipart/form-data; boundary=x", "application/jsonx"])
    func `other types are not read`(type: String?) {
        let problem = #expect(throws: Problem.self) { try read(one, "{}", type: type) }
        #expect(problem?.name == .mediaType)
        #expect(
            problem?.response(requestID: "r").headers.last?.value
                == "application/json, application/x-www-form-urlencoded")
    }

    @Test func `lanes are the configured ones, the first by default`() {
        #expect(one.lane(named: nil) == "checkout")
        #expect(one.lane(named: "batch") == "batch")
        #expect(one.lane(named: "Batch") == nil)
    }
}

@Suite struct CallersTests {
    private let callers = Callers([
        APIKey(id: "shop", key: Secret("k-shop-1")), APIKey(id: "app", key: Secret("k-app-2")),
    ])

    @Test(
        arguments: [
            ("Bearer k-shop-1", "shop"), ("bearer  k-app-2", "app"), ("Bearer k-shop-", nil), ("Bearer ", nil),
            ("Bearer", nil), ("k-shop-1", nil), ("Basic ay1zaG9wLTE6", "shop"),  // k-shop-1:
            ("Basic c2hvcDprLXNob3AtMQ==", "shop"),  // shop:k-shop-1
            ("Basic YXBwOmstc2hvcC0x", nil),  // app:k-shop-1
            ("Basic !!!!", nil), ("Digest x", nil), (nil, nil),
        ] as [(String?, String?)])
    func `a caller is told by its key`(header: String?, id: String?) {
        #expect(callers.identify(authorization: header)?.id == id)
    }

    @Test func `without keys everybody is the one caller`() {
        #expect(Callers([]).identify(authorization: nil) == Caller(id: ""))
        #expect(!Callers([]).areMany)
        #expect(callers.areMany)
        #expect(!Callers([APIKey(id: "a", key: Secret("1")), APIKey(id: "a", key: Secret("2"))]).areMany)
    }

    @Test(arguments: [("", ""), ("Zg==", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob")])
    func `base64 is read`(text: String, plain: String) {
        #expect(Base64.decode(text).map { String(decoding: $0, as: UTF8.self) } == plain)
    }
}
