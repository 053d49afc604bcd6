internal import CMicroHTTPD

/// Turns an answer into libmicrohttpd's.
enum ResponseBuilder {
    /// The caller destroys what it gets.
    static func make(_ response: HTTPResponse, closing: Bool) -> OpaquePointer? {
        let made: OpaquePointer?
        if response.isChunked || response.truncatedAt != nil {
            made = streamed(response)
        } else {
            made = response.body.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        }
        guard let made else { return nil }
        for field in response.headers { _ = MHD_add_response_header(made, field.name, field.value) }
        if closing || response.closesConnection { _ = MHD_add_response_header(made, "Connection", "close") }
        return made
    }

    private static func streamed(_ response: HTTPResponse) -> OpaquePointer? {
        let cut = response.truncatedAt.map { min(max(0, $0), response.body.count) }
        let sent = cut.map { Array(response.body[..<$0]) } ?? response.body
        let stream = Unmanaged.passRetained(BodyStream(sent, isCut: cut != nil))
        let size = response.isChunked ? UInt64.max : UInt64(response.body.count)  // MHD_SIZE_UNKNOWN
        return MHD_create_response_from_callback(
            size, BodyStream.block, readBodyStream, stream.toOpaque(), freeBodyStream)
    }
}

/// A body handed over in pieces.
private final class BodyStream {
    static let block = 16 << 10
    let bytes: [UInt8]
    let isCut: Bool

    init(_ bytes: [UInt8], isCut: Bool) {
        self.bytes = bytes
        self.isCut = isCut
    }

    func read(at position: Int, into buffer: UnsafeMutableRawPointer, room: Int) -> Int {
        guard position < bytes.count else {
            return isCut ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM
        }
        let count = min(room, bytes.count - position)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { buffer.copyMemory(from: base + position, byteCount: count) }
        }
        return count
    }
}

private func readBodyStream(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ room: Int
) -> Int {
    guard let context, let buffer else { return MHD_CONTENT_READER_END_WITH_ERROR }
    return Unmanaged<BodyStream>.fromOpaque(context).takeUnretainedValue()
        .read(at: Int(position), into: UnsafeMutableRawPointer(buffer), room: room)
}

private func freeBodyStream(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<BodyStream>.fromOpaque(context).release()
}
