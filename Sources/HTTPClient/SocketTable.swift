internal import CLibCurl
internal import CLinux
internal import EventLoop

/// A descriptor that libcurl told us about.
final class SocketEntry {
    let descriptor: Int32
    let pool: TransferPool
    /// Opened by our callback, so closed by it too; others (the resolver's pipe) libcurl closes without a word.
    let isConnection: Bool
    var watch: Watch?
    var interest: Interest = []
    /// Forgotten by libcurl between two transfers, still registered.
    var isIdle = false

    init(descriptor: Int32, pool: TransferPool, isConnection: Bool) {
        self.descriptor = descriptor
        self.pool = pool
        self.isConnection = isConnection
    }

    func stopWatching() {
        watch?.cancel()
        watch = nil
        isIdle = false
    }
}

/// All descriptors of a client's pools, by number.
///
/// libcurl forgets a socket after each transfer and names it again at the next; to register it anew would be two system
/// calls a transfer. So an established socket stays registered, marked idle, until it is named again, closed, or turns
/// readable.
final class SocketTable {
    private let loop: Loop
    private var entries: [SocketEntry?] = []

    init(loop: Loop) {
        self.loop = loop
    }

    /// libcurl makes a socket. It closes one that never connected without telling us (`cf_socket_close`), and may then
    /// get the same number again and believe it named already: the new socket takes over what the old one was waited
    /// for.
    func opened(_ descriptor: Int32, by pool: TransferPool) {
        let stale = self[descriptor]
        let takesOver = stale.map { $0.watch != nil && !$0.isIdle && $0.pool === pool } ?? false
        stale?.stopWatching()
        let entry = SocketEntry(descriptor: descriptor, pool: pool, isConnection: true)
        self[descriptor] = entry
        if takesOver, let stale { watch(entry, for: stale.interest) }
    }

    func closed(_ descriptor: Int32) {
        self[descriptor]?.stopWatching()
        self[descriptor] = nil
        close(descriptor)
    }

    /// libcurl names a socket and what to wait for, or forgets it.
    func named(_ descriptor: Int32, _ what: Int32, by pool: TransferPool) {
        guard what != CURL_POLL_REMOVE else { return forgotten(descriptor, by: pool) }
        let entry = self[descriptor] ?? SocketEntry(descriptor: descriptor, pool: pool, isConnection: false)
        self[descriptor] = entry
        var interest: Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.reading) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.writing) }
        entry.isIdle = false
        watch(entry, for: interest)
    }

    private func forgotten(_ descriptor: Int32, by pool: TransferPool) {
        guard let entry = self[descriptor], entry.pool === pool else { return }
        // One that waits to be written is still connecting: it may be closed already.
        if entry.isConnection, entry.interest == .reading, entry.watch != nil {
            entry.isIdle = true
        } else {
            entry.stopWatching()
            if !entry.isConnection { self[descriptor] = nil }
        }
    }

    private func watch(_ entry: SocketEntry, for interest: Interest) {
        entry.interest = interest
        if let watch = entry.watch {
            watch.update(interest)
        } else {
            // The cycle from the entry to its watch and back ends with `stopWatching`, which every path to a close
            // takes.
            entry.watch = loop.watch(entry.descriptor, for: interest) { ready in
                SocketTable.ready(entry, ready)
            }
        }
    }

    private static func ready(_ entry: SocketEntry, _ interest: Interest) {
        // The server closed an idle connection, or spoke unasked: libcurl will see it when it next wants the
        // connection.
        guard !entry.isIdle else { return entry.stopWatching() }
        var bits: Int32 = 0
        if interest.contains(.reading) { bits |= CURL_CSELECT_IN }
        if interest.contains(.writing) { bits |= CURL_CSELECT_OUT }
        if interest.contains(.failed) { bits |= CURL_CSELECT_ERR }
        entry.pool.drive(entry.descriptor, bits)
    }

    /// Ends every connection of ours both ways, without a word from TLS or HTTP/2: nothing that is still buffered can
    /// leave.
    func cutAll() {
        for entry in entries {
            if let entry, entry.isConnection { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets go of what libcurl has not closed by itself.
    func removeAll() {
        for entry in entries { entry?.stopWatching() }
        entries.removeAll()
    }

    private subscript(descriptor: Int32) -> SocketEntry? {
        get {
            let index = Int(descriptor)
            return index >= 0 && index < entries.count ? entries[index] : nil
        }
        set {
            let index = Int(descriptor)
            guard index >= 0 else { return }
            while entries.count <= index { entries.append(nil) }
            entries[index] = newValue
        }
    }
}
