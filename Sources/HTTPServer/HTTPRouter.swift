/// What the braces of a route's pattern stood for, without percent encoding.
public struct HTTPPathValues: Sendable {
    let values: [HTTPField]

    /// The value of `{name}`; nil when the pattern has no such name.
    public subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }
}

/// Finds the handler of a request by method and path: `/v1/charges`, `/v1/charges/{id}`.
///
/// `HEAD` goes where `GET` goes. An unknown path is 404, a known one with another method 405 with `Allow`.
public final class HTTPRouter {
    /// Handles a request that matched.
    public typealias Handler = (HTTPExchange, HTTPPathValues) -> Void

    /// Makes the answer for an unknown path.
    public var notFound: (HTTPExchange) -> HTTPResponse = { _ in HTTPResponse(404, text: "not found\n") }
    /// Makes the answer for a known path's unknown method, without its `Allow`, which is added; the argument is the
    /// methods allowed.
    public var methodNotAllowed: (HTTPExchange, [String]) -> HTTPResponse = { _, _ in
        HTTPResponse(405, text: "method not allowed\n")
    }

    private struct Route {
        let segments: [Substring]
        var methods: [(name: String, handler: Handler)]
    }

    /// Paths without braces, the usual case, by their text.
    private var fixed: [String: Route] = [:]
    private var patterns: [Route] = []

    /// Makes a router without routes.
    public init() {}

    /// Adds a route. `{name}` stands for one whole segment, never an empty one.
    public func on(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
        if !pattern.contains("{") {
            fixed[pattern, default: Route(segments: segments, methods: [])].methods.append((method, handler))
        } else if let known = patterns.firstIndex(where: { $0.segments == segments }) {
            patterns[known].methods.append((method, handler))
        } else {
            patterns.append(Route(segments: segments, methods: [(method, handler)]))
        }
    }

    /// Calls the handler of a request, or answers it.
    public func route(_ exchange: HTTPExchange) {
        if let route = fixed[exchange.rawPath] {
            return dispatch(exchange, route, HTTPPathValues(values: []))
        }
        let segments = exchange.rawPath.split(separator: "/", omittingEmptySubsequences: false)
        for route in patterns {
            if let values = match(route.segments, segments) { return dispatch(exchange, route, values) }
        }
        exchange.respond(notFound(exchange))
    }

    private func dispatch(_ exchange: HTTPExchange, _ route: Route, _ values: HTTPPathValues) {
        let method = exchange.method == "HEAD" ? "GET" : exchange.method
        if let found = route.methods.first(where: { $0.name == method }) {
            return found.handler(exchange, values)
        }
        var allowed = route.methods.map(\.name)
        if allowed.contains("GET") { allowed.append("HEAD") }
        exchange.respond(methodNotAllowed(exchange, allowed).with("Allow", allowed.joined(separator: ", ")))
    }

    private func match(_ pattern: [Substring], _ path: [Substring]) -> HTTPPathValues? {
        guard pattern.count == path.count else { return nil }
        var values: [HTTPField] = []
        for (expected, segment) in zip(pattern, path) {
            if expected.hasPrefix("{"), expected.hasSuffix("}") {
                guard !segment.isEmpty, let value = HTTPForm.decode(segment.utf8) else { return nil }
                values.append(HTTPField(String(expected.dropFirst().dropLast()), value))
            } else if expected != segment {
                return nil
            }
        }
        return HTTPPathValues(values: values)
    }
}
