import Settings
import Testing

@testable import StripeSandbox

/// A sandbox without a network, whose time moves by hand.
final class Bench {
    let sandbox: Sandbox
    var instant = SandboxInstant(monotonic: 0, wall: 1_780_000_000_000)
    var apiKey = "sk_test_bench12345678"

    /// An answer, with its body read.
    struct Seen {
        let reply: SandboxReply
        let json: JSONTree

        var status: Int { reply.status }
        subscript(_ path: String) -> String? { json[path] }
        func header(_ name: String) -> String? { reply.header(name) }
    }

    init(_ settings: SandboxSettings = SandboxSettings()) {
        sandbox = Sandbox(settings: settings)
    }

    func wait(milliseconds: Int64) {
        instant = instant.advanced(milliseconds: milliseconds)
    }

    func send(_ request: SandboxRequest) -> Seen {
        var request = request
        if request.authorization == nil { request.authorization = "Bearer \(apiKey)" }
        let reply = sandbox.handle(request, at: instant)
        return Seen(reply: reply, json: (try? JSONTree(reply.body)) ?? .null)
    }

    @discardableResult
    func post(
        _ path: String, _ form: [(String, String)] = [], key: String? = nil, account: String? = nil
    ) -> Seen {
        var request = SandboxRequest("POST", path)
        request.body = Array(form.map { "\(Self.escape($0))=\(Self.escape($1))" }.joined(separator: "&").utf8)
        request.contentType = "application/x-www-form-urlencoded"
        request.idempotencyKey = key
        request.account = account
        return send(request)
    }

    @discardableResult
    func get(_ path: String, _ query: [(String, String)] = [], account: String? = nil) -> Seen {
        var request = SandboxRequest("GET", path)
        request.query = query.map { "\(Self.escape($0))=\(Self.escape($1))" }.joined(separator: "&")
        request.account = account
        return send(request)
    }

    /// One of the sandbox's own calls.
    @discardableResult
    func own(_ method: String, _ path: String, _ json: String = "") -> Seen {
        var request = SandboxRequest(method, path)
        request.body = Array(json.utf8)
        return send(request)
    }

    /// The older flow's one call.
    @discardableResult
    func charge(
        _ source: String = "tok_visa", id: String? = nil, key: String? = nil, _ more: [(String, String)] = []
    ) -> Seen {
        let form = Self.merged([("amount", "1999"), ("currency", "usd"), ("source", source)] + Self.metadata(id), more)
        return post("/v1/charges", form, key: key)
    }

    /// The newer flow's one call, as chargeline makes it.
    @discardableResult
    func intent(
        _ token: String = "tok_visa", id: String? = nil, key: String? = nil, _ more: [(String, String)] = []
    ) -> Seen {
        let paying =
            token.hasPrefix("pm_")
            ? [("payment_method", token)]
            : [("payment_method_data[type]", "card"), ("payment_method_data[card][token]", token)]
        let form = Self.merged(
            [
                ("amount", "1999"), ("currency", "usd"), ("confirm", "true"), ("payment_method_types[0]", "card"),
                ("error_on_requires_action", "true"), ("expand[0]", "latest_charge"),
            ] + paying + Self.metadata(id), more)
        return post("/v1/payment_intents", form, key: key)
    }

    /// The statuses in the ledger of one charge.
    func ledger(_ id: String) throws -> [String] {
        var request = SandboxRequest("GET", "/_sandbox/ledger")
        request.query = "charge_id=\(Self.escape(id))"
        let reply = sandbox.handle(request, at: instant)
        return try reply.body.split(separator: UInt8(ascii: "\n")).map {
            try #require(try JSONTree(Array($0))["status"])
        }
    }

    private static func metadata(_ id: String?) -> [(String, String)] {
        id.map { [("metadata[chargeline_id]", $0)] } ?? []
    }

    /// An empty value takes a parameter out.
    private static func merged(_ form: [(String, String)], _ more: [(String, String)]) -> [(String, String)] {
        let names = Set(more.map(\.0))
        return form.filter { !names.contains($0.0) } + more.filter { !$0.1.isEmpty }
    }

    static func escape(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            let character = Unicode.Scalar(byte)
            if character.properties.isAlphabetic && byte < 128 || (48...57).contains(byte)
                || "[]_-.~".utf8.contains(byte)
            {
                escaped.unicodeScalars.append(character)
            } else {
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
