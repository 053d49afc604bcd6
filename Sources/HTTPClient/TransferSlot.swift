internal import CLibCurl
internal import CLinux

/// An easy handle with its buffers, used by one transfer after another; options that have not changed are not set
/// again.
final class TransferSlot {
    /// Who waits for the outcome.
    enum Waiter {
        case nobody
        case task(UnsafeContinuation<TransferOutcome, Never>)
        case call((TransferOutcome) -> Void)
    }

    let easy: UnsafeMutableRawPointer
    unowned let pool: TransferPool
    var waiter = Waiter.nobody
    /// How it ended, between that and the telling.
    var outcome: TransferOutcome?
    /// The next in a list of those that ended together.
    var next: TransferSlot?
    /// Given to libcurl and not taken back.
    private(set) var isOpen = false
    /// Whether it speaks TLS.
    var isSecure: Bool { sending.isSecure }

    private let names: HeaderNames
    private let errorText: UnsafeMutablePointer<CChar>
    private var sending: SlotRequest
    private var answer = RawBuffer(capacity: 8192)
    private var headers = RawBuffer(capacity: 256)
    private var answerMax = 0
    private var tooLarge = false
    /// Whether the empty line after the headers came: libcurl takes a head that was cut for a whole answer.
    private var headEnded = false
    private var code = CURLE_OK
    /// `pool.drives` when it was added.
    private var addedAt = 0

    init?(pool: TransferPool, names: HeaderNames, settings: TransferSettings, share: UnsafeMutableRawPointer?) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.pool = pool
        self.names = names
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        sending = SlotRequest(easy: easy)
        configure(settings, share)
    }

    private func configure(_ settings: TransferSettings, _ share: UnsafeMutableRawPointer?) {
        clc_set_long(easy, CURLOPT_NOSIGNAL, 1)
        clc_set_long(easy, CURLOPT_BUFFERSIZE, 4096)
        clc_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16384)
        clc_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        clc_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        clc_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        clc_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        clc_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.certificateAuthorities { clc_set_text(easy, CURLOPT_CAINFO, file) }
        // Without a directory libcurl keeps the parsed authorities for all connections; with one it reads them for
        // each.
        clc_set_text(easy, CURLOPT_CAPATH, nil)
        clc_set_long(easy, CURLOPT_TCP_NODELAY, 1)
        clc_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        clc_set_long(easy, CURLOPT_TCP_KEEPIDLE, 30)
        clc_set_long(easy, CURLOPT_TCP_KEEPINTVL, 10)
        // A server that is being replaced must not be spoken to for ever.
        clc_set_long(easy, CURLOPT_MAXLIFETIME_CONN, 600)
        clc_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeoutMilliseconds)
        clc_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        clc_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        if let share { clc_set_pointer(easy, CURLOPT_SHARE, share) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        clc_set_pointer(easy, CURLOPT_PRIVATE, context)
        clc_set_answer(easy, curlBody, curlHeader, context)
        clc_set_sockets(easy, curlOpen, curlClose, Unmanaged.passUnretained(pool).toOpaque())
    }

    // MARK: A transfer

    /// Hands the request to libcurl; a failure is one of ours, before anything was sent.
    func begin(_ request: TransferRequest, multiplexes: Bool) -> TransferFailure? {
        if let failure = sending.prepare(request, waitsForMultiplex: multiplexes) { return failure }
        answerMax = request.answerBytesMax
        tooLarge = false
        headEnded = false
        code = CURLE_OK
        errorText[0] = 0
        let added = curl_multi_add_handle(pool.multi, easy)
        guard added == CURLM_OK else {
            return TransferFailure(.other, String(cString: curl_multi_strerror(added)), mayHaveBeenSent: false)
        }
        isOpen = true
        addedAt = pool.drives
        return nil
    }

    func ended(_ code: CURLcode) {
        self.code = code
        isOpen = false
    }

    /// Takes the transfer back from libcurl as it is.
    func cancel() -> TransferFailure {
        let facts = facts(CURLE_ABORTED_BY_CALLBACK)
        // Before its first turn the handle still shows what its last transfer left.
        let sent = addedAt != pool.drives && facts.reachedConnection
        curl_multi_remove_handle(pool.multi, easy)
        isOpen = false
        return TransferFailure(.cancelled, "", mayHaveBeenSent: sent)
    }

    /// Reads what became of the transfer that ended, and makes the buffers ready for the next.
    func readOutcome() {
        if code == CURLE_OK, headEnded {
            outcome = .reply(reply())
        } else if code == CURLE_OK {
            outcome = .failed(TransferFailure(.truncated, "the headers have no end", mayHaveBeenSent: true))
        } else {
            let facts = facts(code)
            outcome = .failed(TransferFailure(facts.kind, message(), mayHaveBeenSent: facts.mayHaveBeenSent))
        }
        recycle()
    }

    private func reply() -> HTTPReply {
        let version: HTTPVersion =
            switch clc_long(easy, CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_2_0): .http2
            case Int(CURL_HTTP_VERSION_1_1): .http11
            default: .http10
            }
        return HTTPReply(
            status: clc_long(easy, CURLINFO_RESPONSE_CODE),
            headers: ReplyHeaders(names: names, records: headers.bytes()),
            body: answer.bytes(), version: version, madeConnection: clc_long(easy, CURLINFO_NUM_CONNECTS) > 0)
    }

    func recycle() {
        answer.recycle(keeping: 64 << 10)
        headers.recycle(keeping: 4 << 10)
        sending.recycle()
    }

    private func facts(_ code: CURLcode) -> TransferFacts {
        TransferFacts(
            code: code, pretransfer: Int64(clc_offset(easy, CURLINFO_PRETRANSFER_TIME_T)),
            requestBytes: clc_long(easy, CURLINFO_REQUEST_SIZE), tooLarge: tooLarge)
    }

    private func message() -> String {
        if tooLarge { return "the answer is longer than \(answerMax) bytes" }
        let text = errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.prefix(200)))
    }

    // MARK: What arrives

    func bodyArrived(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        guard answer.count + count <= answerMax else {
            tooLarge = true
            return 0
        }
        answer.append(bytes, count: count)
        return count
    }

    /// One line, with its end: a status line, a header, or the empty line after them.
    func headerArrived(_ line: UnsafePointer<UInt8>, _ count: Int) {
        // "HTTP/", a status line: what an interim answer (1xx) said is void.
        if count > 5, line[0] == 0x48, line[4] == 0x2F {
            headEnded = false
            return headers.clear()
        }
        if count <= 2 { headEnded = true }
        guard let found = memchr(line, 0x3A, count) else { return }
        let colon = UnsafeRawPointer(found) - UnsafeRawPointer(line)
        guard let index = names.index(of: line, count: colon), headers.count < 16 << 10 else { return }
        var start = colon + 1
        var end = count
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        while end > start, line[end - 1] <= 0x20 { end -= 1 }
        let length = min(end - start, Int(UInt16.max))
        headers.append(UInt8(truncatingIfNeeded: index))
        headers.append(UInt8(truncatingIfNeeded: length >> 8))
        headers.append(UInt8(truncatingIfNeeded: length))
        headers.append(line + start, count: length)
    }

    func free() {
        if isOpen { curl_multi_remove_handle(pool.multi, easy) }
        isOpen = false
        curl_easy_cleanup(easy)
        errorText.deallocate()
        answer.free()
        headers.free()
        sending.free()
    }
}
