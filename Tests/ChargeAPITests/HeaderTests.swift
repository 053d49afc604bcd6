import Testing

@testable import ChargeAPI

@Suite struct HeaderTests {
    @Test(
        arguments: [
            ("wait=10", 10), ("respond-async, WAIT = 5", 5), ("wait=\"7\"", 7), ("wait=3; foo=bar, wait=9", 3),
            ("wait=0", 0), ("wait", nil), ("wait=", nil), ("wait=ten", nil), ("wait=-1", nil), ("waiting=5", nil),
            ("return=minimal", nil), ("wait=99999999999999999999", nil), (nil, nil),
        ] as [(String?, Int64?)])
    func `the wait is read from Prefer`(header: String?, seconds: Int64?) {
        #expect(RequestHeaders.wait(prefer: header) == seconds)
    }

    @Test(
        arguments: [
            ("abc", "abc"), ("\"abc\"", "abc"), (" abc ", "abc"), (#""a\"b\\c""#, #"a"b\c"#), ("a b", "a b"),
            (nil, nil),
        ] as [(String?, String?)])
    func `a key may be bare or quoted`(header: String?, key: String?) throws {
        #expect(try RequestHeaders.idempotencyKey(header) == key)
    }

    @Test(arguments: ["", "\"\"", "  ", "é", "a\u{7f}", String(repeating: "x", count: 256)])
    func `a key that protects nothing is refused`(header: String) {
        #expect(throws: Problem.self) { try RequestHeaders.idempotencyKey(header) }
    }

    @Test(arguments: [
        ("req-1", true), ("a1b2.c/d=e+f:g_h", true), ("", false), ("a b", false), ("a\"b", false), ("ü", false),
    ])
    func `a request id is repeated where it is fit to be`(header: String, isFit: Bool) {
        #expect((RequestHeaders.requestID(header) != nil) == isFit)
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
        ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false), ("00-1-2-3", false),
    ])
    func `a trace context is kept where it is one`(header: String, isOne: Bool) {
        #expect((RequestHeaders.traceparent(header) == header) == isOne)
    }
}
