internal import CLinux
internal import EventLoop

/// Opens TCP connections with the kernel's own words when that fails: the library only says "a socket error
/// occurred".
struct Dialer {
    /// In nanoseconds of the monotonic clock.
    let deadline: Int64

    /// Looks the name up and tries its addresses in turn; a connected, non-blocking descriptor.
    func dial(host: String, port: Int, address: String) throws(LinkProblem) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failed = getaddrinfo(host, String(port), &hints, &list)
        guard failed == 0 else {
            throw LinkProblem(
                .unreachable, "\(address): the name cannot be looked up: \(String(cString: gai_strerror(failed)))",
                mend: "check the host in the broker's URL")
        }
        defer { freeaddrinfo(list) }
        var lastError = ECONNREFUSED
        var next = list
        while let candidate = next {
            let error: Int32
            switch connect(to: candidate.pointee) {
            case .success(let descriptor): return descriptor
            case .failure(let failure): error = failure.errno
            }
            lastError = error
            next = candidate.pointee.ai_next
        }
        throw LinkProblem(
            .unreachable, "\(address): \(String(cString: strerror(lastError)))",
            mend: "check that the broker runs there and listens on that port")
    }

    private struct ConnectFailure: Error { let errno: Int32 }

    private func connect(to candidate: addrinfo) -> Result<Int32, ConnectFailure> {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(candidate.ai_family, kind, 0)
        guard descriptor >= 0 else { return .failure(ConnectFailure(errno: cl_errno())) }
        var error = CLinux.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 ? 0 : cl_errno()
        if error == EINPROGRESS { error = awaitConnect(descriptor) }
        guard error == 0 else {
            close(descriptor)
            return .failure(ConnectFailure(errno: error))
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
        return .success(descriptor)
    }

    private func awaitConnect(_ descriptor: Int32) -> Int32 {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let left = (deadline - LoopClock.monotonic()) / 1_000_000
            guard left > 0 else { return ETIMEDOUT }
            let ready = poll(&waiting, 1, Int32(clamping: left))
            if ready > 0 { break }
            if ready < 0, cl_errno() != EINTR { return cl_errno() }
        }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        return error
    }
}
