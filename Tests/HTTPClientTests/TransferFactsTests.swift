import CLibCurl
import Testing

@testable import HTTPClient

struct TransferFactsTests {
    private static func facts(_ code: CURLcode, connected: Bool = false, bytes: Int = 0) -> TransferFacts {
        TransferFacts(code: code, pretransfer: connected ? 1 : 0, requestBytes: bytes, tooLarge: false)
    }

    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, TransferFailure.Kind.resolve), (CURLE_COULDNT_CONNECT, .connect),
        (CURLE_SSL_CONNECT_ERROR, .tlsHandshake), (CURLE_PEER_FAILED_VERIFICATION, .certificate),
        (CURLE_SSL_CACERT_BADFILE, .certificate), (CURLE_OPERATION_TIMEDOUT, .timeoutBeforeConnect),
        (CURLE_URL_MALFORMAT, .badRequest), (CURLE_UNSUPPORTED_PROTOCOL, .badRequest), (CURLE_PROXY, .connect),
    ])
    func whatFailsBeforeAConnectionIsNotSentUnlessAnEarlierTryWas(code: CURLcode, kind: TransferFailure.Kind) {
        #expect(Self.facts(code).kind == kind)
        #expect(!Self.facts(code).mayHaveBeenSent)
        #expect(Self.facts(code, connected: true).mayHaveBeenSent)
        #expect(Self.facts(code, bytes: 1).mayHaveBeenSent)
    }

    @Test(arguments: [
        (CURLE_GOT_NOTHING, TransferFailure.Kind.reset), (CURLE_RECV_ERROR, .reset), (CURLE_SEND_ERROR, .sendFailed),
        (CURLE_PARTIAL_FILE, .truncated), (CURLE_HTTP2, .http2), (CURLE_HTTP2_STREAM, .http2),
        (CURLE_WEIRD_SERVER_REPLY, .notHTTP), (CURLE_OUT_OF_MEMORY, .other), (CURLE_ABORTED_BY_CALLBACK, .other),
    ])
    func anythingElseMayHaveBeenSentWhateverTheTimesSay(code: CURLcode, kind: TransferFailure.Kind) {
        #expect(Self.facts(code).kind == kind)
        #expect(Self.facts(code).mayHaveBeenSent)
    }

    @Test func whatTheConnectionSawDecidesBetweenTheTwoTimeouts() {
        #expect(Self.facts(CURLE_OPERATION_TIMEDOUT, connected: true).kind == .timeoutAfterConnect)
        #expect(Self.facts(CURLE_OPERATION_TIMEDOUT, bytes: 1).kind == .timeoutAfterConnect)
        #expect(Self.facts(CURLE_UNSUPPORTED_PROTOCOL, connected: true).kind == .notHTTP)
    }

    @Test func secretsOfConstantHeadersAreNotPrinted() {
        let headers = ConstantHeaders([("Authorization", "Basic c2VjcmV0")])
        var dumped = ""
        dump(headers, to: &dumped)
        #expect(!"\(headers) \(String(reflecting: headers)) \(dumped)".contains("c2VjcmV0"))
    }
}
