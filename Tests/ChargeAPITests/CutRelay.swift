import CLinux
import EventLoop
import TestSupport

/// Stands between clients and a broker, and can cut the clients off without the broker noticing, as a network does.
actor CutRelay {
    private final class Pair {
        var client: Int32
        let server: Int32
        var watches: [Watch] = []

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }
    }

    private let loop = Loop()
    private let thread: LoopThread
    private let listener = ListeningSocket()
    private let target: UInt16
    private var accepting: Watch?
    private var beating: LoopTimer?
    private var pairs: [Pair] = []

    /// Where clients connect.
    nonisolated var port: Int { listener.port }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(to port: Int) {
        target = UInt16(port)
        thread = loop.startThread(named: "cut-relay")
    }

    func start() {
        accepting = loop.watch(listener.descriptor, for: .reading) { [weak self] _ in
            self?.assumeIsolated { $0.accept() }
        }
    }

    /// Cuts off every client of now. The broker's sides stay open and go on getting heartbeats: it never notices.
    func cut() {
        beating = loop.makeTimer { [weak self] in self?.assumeIsolated { $0.beat() } }
        beat()
        for pair in pairs where pair.client >= 0 {
            pair.watches.first?.cancel()
            close(pair.client)
            pair.client = -1
        }
    }

    private func beat() {
        let frame: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 0xCE]
        for pair in pairs where pair.client < 0 {
            _ = send(pair.server, frame, frame.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        beating?.arm(after: 1_000_000_000)
    }

    nonisolated func end() async {
        await closeAll()
        thread.stopAndJoin()
    }

    private func closeAll() {
        accepting?.cancel()
        cut()
        beating?.disarm()
        for pair in pairs {
            pair.watches.last?.cancel()
            close(pair.server)
        }
        pairs = []
        listener.close()
    }

    private func accept() {
        let pair = Pair(client: listener.accept(), server: connected())
        pairs.append(pair)
        pair.watches = [
            loop.watch(pair.client, for: .reading) { _ in Self.pass(pair.client, to: pair.server) },
            loop.watch(pair.server, for: .reading) { _ in Self.pass(pair.server, to: pair.client) },
        ]
    }

    private func connected() -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = target.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    /// Passes on what is there; what goes nowhere is thrown away.
    private static func pass(_ from: Int32, to target: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(from, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0, target >= 0 {
            _ = send(target, bytes, count, Int32(MSG_NOSIGNAL))
        } else if count == 0, target >= 0 {
            shutdown(target, Int32(SHUT_WR))
        }
    }
}
