internal import CLibCurl

/// The request side of an easy handle: what libcurl was told last, and the bytes it reads while it sends.
struct SlotRequest {
    private let easy: UnsafeMutableRawPointer
    private var url = ""
    private(set) var isSecure = false
    private var method = HTTPMethod.get
    private var hasBody = false
    private var waitsForMultiplex = false
    private var timeoutMilliseconds = 0
    private var headers: ConstantHeaders?
    private var form = RawBuffer(capacity: 1024)
    private var formAddress: UnsafeMutablePointer<UInt8>?
    /// The lines of `fields`, each ended by a zero byte.
    private var lines = RawBuffer(capacity: 512)
    private var nodes: UnsafeMutablePointer<curl_slist>
    private var nodeCapacity = 4
    private var firstHeader: UnsafeMutablePointer<curl_slist>?

    init(easy: UnsafeMutableRawPointer) {
        self.easy = easy
        nodes = .allocate(capacity: nodeCapacity)
    }

    /// Sets what differs from the last request on this handle; a failure is a request that cannot be sent.
    mutating func prepare(_ request: TransferRequest, waitsForMultiplex wait: Bool) -> TransferFailure? {
        if request.url != url { prepareURL(request.url) }
        if isSecure, wait != waitsForMultiplex {
            waitsForMultiplex = wait
            clc_set_long(easy, CURLOPT_PIPEWAIT, wait ? 1 : 0)
        }
        if request.timeoutMilliseconds != timeoutMilliseconds {
            timeoutMilliseconds = request.timeoutMilliseconds
            clc_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, timeoutMilliseconds))
        }
        let hasBody = !request.body.isEmpty || request.method == .post
        if request.method != method || hasBody != self.hasBody { prepareMethod(request.method, hasBody: hasBody) }
        if hasBody { prepareBody(request.body) }
        return prepareHeaders(request)
    }

    private mutating func prepareURL(_ url: String) {
        self.url = url
        isSecure = url.hasPrefix("https://")
        clc_set_text(easy, CURLOPT_URL, url)
        clc_set_long(
            easy, CURLOPT_HTTP_VERSION, isSecure ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
        // Plain http is for this machine: no proxy, and no look into the environment at each transfer.
        clc_set_text(easy, CURLOPT_PROXY, isSecure ? nil : "")
    }

    private mutating func prepareMethod(_ method: HTTPMethod, hasBody: Bool) {
        self.method = method
        self.hasBody = hasBody
        formAddress = nil
        clc_set_long(easy, hasBody ? CURLOPT_POST : CURLOPT_HTTPGET, 1)
        let isPlain = method == (hasBody ? .post : .get)
        clc_set_text(easy, CURLOPT_CUSTOMREQUEST, isPlain ? nil : method.rawValue)
    }

    private mutating func prepareBody(_ body: [UInt8]) {
        form.clear()
        body.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { form.append(start, count: bytes.count) }
        }
        // The length is told, always: a body may hold a zero byte. Before the address, which else is measured by
        // `strlen`.
        clc_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        if form.start != formAddress {
            formAddress = form.start
            clc_set_pointer(easy, CURLOPT_POSTFIELDS, form.start)
        }
    }

    private mutating func prepareHeaders(_ request: TransferRequest) -> TransferFailure? {
        lines.clear()
        for field in request.fields {
            guard HeaderField.isSafe(field.value), !field.value.isEmpty else {
                return TransferFailure(.badRequest, "header \(field.name) cannot be sent", mayHaveBeenSent: false)
            }
            append(field)
        }
        headers = request.headers
        let first = link(request.fields.count, before: request.headers.first)
        if first != firstHeader {
            firstHeader = first
            clc_set_pointer(easy, CURLOPT_HTTPHEADER, first)
        }
        return nil
    }

    private mutating func append(_ field: HeaderField) {
        lines.append(field.name.utf8Start, count: field.name.utf8CodeUnitCount)
        lines.append(0x3A)
        lines.append(0x20)
        let copied: Void? = field.value.utf8.withContiguousStorageIfAvailable { bytes in
            if let start = bytes.baseAddress { lines.append(start, count: bytes.count) }
        }
        if copied == nil { for byte in field.value.utf8 { lines.append(byte) } }
        lines.append(0)
    }

    /// Chains this request's lines, made up of `lines` now that their addresses stand, before the shared ones.
    private mutating func link(
        _ count: Int, before shared: UnsafeMutablePointer<curl_slist>?
    ) -> UnsafeMutablePointer<curl_slist>? {
        guard count > 0 else { return shared }
        if count > nodeCapacity {
            nodes.deallocate()
            nodeCapacity = count
            nodes = .allocate(capacity: count)
        }
        var at = 0
        for index in 0..<count {
            let text = UnsafeMutableRawPointer(lines.start + at).assumingMemoryBound(to: CChar.self)
            (nodes + index).initialize(to: curl_slist(data: text, next: index + 1 < count ? nodes + index + 1 : shared))
            while lines.start[at] != 0 { at += 1 }
            at += 1
        }
        return nodes
    }

    /// Between two transfers: a large body's memory goes back.
    mutating func recycle() {
        form.recycle(keeping: 64 << 10)
        lines.recycle(keeping: 4 << 10)
    }

    func free() {
        form.free()
        lines.free()
        nodes.deallocate()
    }
}
