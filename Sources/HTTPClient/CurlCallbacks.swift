internal import CLibCurl
internal import CLinux

// Functions, not closures: libcurl calls them on the loop's thread, from inside its own calls. None of them may call it
// back. Pools and their slots outlive the handles that name them (`TransferPool.free`), so nothing is retained here.

func curlSocket(
    _ easy: UnsafeMutableRawPointer?, _ descriptor: Int32, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _ known: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<TransferPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.socketNamed(descriptor, what) }
    return 0
}

func curlTimer(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<TransferPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.timerWanted(milliseconds: milliseconds) }
    return 0
}

func curlOpen(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address = address?.pointee else { return CURL_SOCKET_BAD }
    let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    if descriptor >= 0 {
        Unmanaged<TransferPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.socketOpened(descriptor) }
    }
    return descriptor
}

func curlClose(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
    guard let context else { return close(descriptor) }
    Unmanaged<TransferPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.socketClosed(descriptor) }
    return 0
}

func curlBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    return Unmanaged<TransferSlot>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.bodyArrived(UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), size * count)
    }
}

func curlHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    Unmanaged<TransferSlot>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.headerArrived(UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), size * count)
    }
    return size * count
}
