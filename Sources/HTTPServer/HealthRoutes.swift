/// One thing that a role needs in order to work.
public struct HealthCheck: Sendable, Equatable {
    /// What it is: `broker`, `results`.
    public let name: String
    /// Whether it is there.
    public let isGood: Bool
    /// How it is, in a few words; no secrets.
    public let note: String

    /// Makes a check's outcome.
    public init(_ name: String, isGood: Bool, _ note: String) {
        self.name = name
        self.isGood = isGood
        self.note = note
    }
}

/// The calls of an admin listener, which is never public: `/livez` and its alias `/healthz` (alive, whatever else is
/// away: what restarts a process must not do so because the broker is down), `/readyz` (able to work; `?verbose` says
/// why not), `/metrics` (Prometheus text).
public enum HealthRoutes {
    /// Adds the calls to a router. The closures are asked at each request, on the loop.
    public static func add(
        to router: HTTPRouter, checks: @escaping () -> [HealthCheck], metrics: @escaping () -> [UInt8]
    ) {
        for path in ["/livez", "/healthz"] {
            router.on("GET", path) { exchange, _ in exchange.respond(plain(200, "ok\n")) }
        }
        router.on("GET", "/readyz") { exchange, _ in
            exchange.respond(readiness(checks(), isVerbose: exchange.query.contains { $0.name == "verbose" }))
        }
        router.on("GET", "/metrics") { exchange, _ in
            let type = HTTPField("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            exchange.respond(HTTPResponse(200, headers: [type], body: metrics()))
        }
    }

    /// 200 when every check is good, else 503; with a line each when asked.
    static func readiness(_ checks: [HealthCheck], isVerbose: Bool) -> HTTPResponse {
        let isReady = checks.allSatisfy(\.isGood)
        var text = ""
        if isVerbose {
            for check in checks { text += "[\(check.isGood ? "+" : "-")] \(check.name): \(check.note)\n" }
        }
        return plain(isReady ? 200 : 503, text + (isReady ? "ready\n" : "not ready\n"))
    }

    private static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status, text: text).with("Cache-Control", "no-store")
    }
}
