internal import CLinux
internal import Settings

/// `chargeline healthcheck`: asks a role on this machine whether it is ready, as a container's health check does.
public enum HealthTool {
    private struct Target {
        let role: String
        let address: HostPort
        let path: String
    }

    /// Ends with 0 for ready, 1 for not ready, 3 where nobody answers.
    public static func run(_ invocation: Invocation, _ context: ToolContext) -> Int32 {
        let targets: [Target]
        do {
            targets = try self.targets(invocation, context)
        } catch {
            return context.refuse(error)
        }
        for target in targets {
            guard let answer = PlainRequest(target.address).get(target.path) else { continue }
            if answer.status == 200 { return ToolExit.done.rawValue }
            context.console.complain("the \(target.role) at \(target.address) is not ready (\(answer.status))")
            for line in answer.body.split(separator: "\n") { context.console.note("  \(Shown.line(String(line)))") }
            return ToolExit.problem.rawValue
        }
        let places = targets.map { "\($0.address)" }.joined(separator: " or ")
        context.console.complain("nobody answers at \(places): is the role running, and is its listener there?")
        return ToolExit.unreachable.rawValue
    }

    /// Where to ask: the role that is named, or the one whose listener is set, or whichever runs at its usual place.
    private static func targets(_ invocation: Invocation, _ context: ToolContext) throws(UsageProblem) -> [Target] {
        let known: [Role] = [.worker, .api, .sandbox]
        var roles: [Role] = [.worker, .api]
        if let word = invocation.operands.first {
            guard let role = known.first(where: { $0.rawValue == word }) else {
                let hint = NearestWord.hint(for: word, among: known.map(\.rawValue))
                throw UsageProblem(
                    "\(Shown.word(word)) is not one of api, worker, sandbox\(hint)", command: invocation.command)
            }
            roles = [role]
        }
        var targets: [Target] = []
        for role in roles {
            let name = role == .sandbox ? "CHARGELINE_LISTEN" : "CHARGELINE_ADMIN_LISTEN"
            guard let setting = SettingsTable.named(name) else { continue }
            let given = setting.flag.flatMap { invocation.settings[$0] } ?? context.environment[name]
            let text = given.flatMap { $0.isEmpty ? nil : $0 } ?? setting.standard(for: role) ?? ""
            guard let address = HostPort(text) else {
                throw UsageProblem("\(name) is not address:port, such as 127.0.0.1:9464", command: invocation.command)
            }
            let path = role == .sandbox ? "/_sandbox/stats" : "/readyz?verbose"
            if !targets.contains(where: { $0.address == address }) {
                targets.append(Target(role: role.rawValue, address: address, path: path))
            }
        }
        return targets
    }
}

/// One HTTP request over one connection, waited for: for a process that does nothing else.
struct PlainRequest {
    /// An answer, as far as a health check reads it.
    struct Answer {
        let status: Int
        let body: String
    }

    private let host: String
    private let port: UInt16
    private static let seconds = 5
    private static let longest = 64 * 1024

    init(_ address: HostPort) {
        // What listens everywhere listens here.
        host = ["0.0.0.0": "127.0.0.1", "::": "::1"][address.host] ?? address.host
        port = address.port
    }

    /// - Returns: nil when nobody answers.
    func get(_ path: String) -> Answer? {
        guard let descriptor = connected() else { return nil }
        defer { close(descriptor) }
        let name = host.contains(":") ? "[\(host)]" : host
        let request = "GET \(path) HTTP/1.0\r\nHost: \(name):\(port)\r\nConnection: close\r\n\r\n"
        guard Console.write(request, to: descriptor) else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < Self.longest {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, cl_errno() == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return Self.parse(String(decoding: bytes, as: UTF8.self))
    }

    private static func parse(_ text: String) -> Answer? {
        let words = text.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else { return nil }
        let body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
        return Answer(status: status, body: body)
    }

    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let found = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        let descriptor = socket(found.ai_family, found.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: Self.seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        guard connect(descriptor, found.ai_addr, found.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
