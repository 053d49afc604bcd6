internal import CLibCurl

/// What libcurl knows of a transfer that ended without an answer; what follows from it is decided here, purely.
struct TransferFacts: Equatable {
    /// How it ended.
    var code: CURLcode
    /// Microseconds until the request had been handed to a connection; 0 before that (`CURLINFO_PRETRANSFER_TIME_T`).
    /// Set once per transfer and kept when libcurl tries again.
    var pretransfer: Int64
    /// Bytes of the request's first part written so far, over all tries (`CURLINFO_REQUEST_SIZE`).
    var requestBytes: Int
    /// Our own write callback refused the rest of the answer.
    var tooLarge: Bool

    /// Whether the request was, or was being, given to a connection.
    var reachedConnection: Bool { pretransfer > 0 || requestBytes > 0 }

    var kind: TransferFailure.Kind {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .connect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED: .tlsHandshake
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            .certificate
        case CURLE_OPERATION_TIMEDOUT: reachedConnection ? .timeoutAfterConnect : .timeoutBeforeConnect
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .reset
        case CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_READ_ERROR: .sendFailed
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: .http2
        case CURLE_WRITE_ERROR: tooLarge ? .tooLarge : .other
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .notHTTP
        // An answer without a status line counts as HTTP/0.9, which is an unsupported protocol.
        case CURLE_UNSUPPORTED_PROTOCOL: reachedConnection ? .notHTTP : .badRequest
        case CURLE_URL_MALFORMAT: .badRequest
        default: .other
        }
    }

    /// True unless it is certain that nothing left.
    var mayHaveBeenSent: Bool {
        if reachedConnection { return true }
        return switch kind {
        // libcurl says these only before a request is written, or, `reachedConnection` being false, before any was.
        case .resolve, .connect, .tlsHandshake, .certificate, .timeoutBeforeConnect, .badRequest: false
        default: true
        }
    }
}
