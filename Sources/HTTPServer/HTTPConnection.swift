internal import CLinux
internal import CMicroHTTPD

/// One client's connection, from accept to close.
final class HTTPConnection {
    let descriptor: Int32
    /// Its place among the listener's connections.
    var index = 0
    /// The request being read or answered; it lets go of it at its end.
    var exchange: HTTPExchange?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Makes an idle connection end: the server reads the end of the stream and closes it.
    func endReading() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Cuts the connection so that the client sees a reset. Disconnecting by AF_UNSPEC sends it at once, whatever
    /// libmicrohttpd does with the descriptor after (SO_LINGER would come after its shutdown, and the client might read
    /// an orderly end).
    func reset() {
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Writes an answer around libmicrohttpd, which takes none in the middle of a body, and ends the stream.
    func writeLast(_ response: HTTPResponse) {
        var head = "HTTP/1.1 \(response.status) \(reason(response.status))\r\nConnection: close\r\n"
        for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(response.body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + response.body
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func reason(_ status: Int) -> String {
        MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? ""
    }
}
