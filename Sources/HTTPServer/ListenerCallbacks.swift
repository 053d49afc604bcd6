internal import CMicroHTTPD

// libmicrohttpd's callbacks: global functions, because a closure would inherit isolation. The context is the listener,
// which outlives its server; a request's state is its exchange, retained from `httpBegin` to `httpCompleted`; a
// connection's is its `HTTPConnection`.

private func listener(_ context: UnsafeMutableRawPointer?) -> HTTPListener? {
    context.map { Unmanaged<HTTPListener>.fromOpaque($0).takeUnretainedValue() }
}

/// The request line is there.
func httpBegin(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>, _ handle: OpaquePointer
) -> UnsafeMutableRawPointer? {
    guard let exchange = listener(context)?.began(handle, target: String(cString: target)) else { return nil }
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Called first without data once the headers are there, then with each piece of the body, then without data when it is
/// complete, and again after a wait.
func httpHandle(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let listener = listener(context), let method, let size, let pointer = state?.pointee else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    let goesOn: Bool
    if exchange.phase == .head {
        goesOn = listener.headRead(exchange, method: String(cString: method))
    } else if size.pointee > 0 {
        goesOn = listener.bodyRead(exchange, UnsafeRawBufferPointer(start: data, count: size.pointee))
        size.pointee = 0
    } else {
        goesOn = listener.proceed(exchange)
    }
    return goesOn ? .YES : .NO
}

/// The request is over, well or not.
func httpCompleted(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let listener = listener(context), let pointer = state?.pointee else { return }
    state?.pointee = nil
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    switch reason {
    case .REQUEST_TERMINATED_COMPLETED_OK: listener.completed(exchange, .answered)
    case .REQUEST_TERMINATED_DAEMON_SHUTDOWN: listener.completed(exchange, .stopped)
    default: listener.completed(exchange, .hungUp)
    }
}

/// A connection began or is about to be closed.
func httpConnection(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
    guard let listener = listener(context), let handle, let state else { return }
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        state.pointee = Unmanaged.passRetained(listener.connected(handle)).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = state.pointee else { return }
        state.pointee = nil
        listener.disconnected(Unmanaged<HTTPConnection>.fromOpaque(pointer).takeRetainedValue())
    }
}
