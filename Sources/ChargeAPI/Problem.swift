internal import Charging
internal import HTTPServer
internal import JSONText

/// An error as RFC 9457 wants it told: `application/problem+json`, each field that is wrong by its JSON pointer.
struct Problem: Error, Equatable {
    /// What kind of problem it is; the last part of its `type`.
    enum Name: String, CaseIterable {
        case invalidBody = "invalid-body"
        case invalidField = "invalid-field"
        case cardNumber = "card-number"
        case invalidHeader = "invalid-header"
        case unauthorized
        case notFound = "not-found"
        case notSeen = "not-seen"
        case methodNotAllowed = "method-not-allowed"
        case tooLarge = "too-large"
        case mediaType = "media-type"
        case unavailable
        case queueFull = "queue-full"
        case notConfirmed = "not-confirmed"
        case noWorker = "no-worker"
    }

    let name: Name
    /// One sentence about this one occurrence, with the mend.
    var detail: String
    /// The fields at fault.
    var errors: [FieldProblem] = []
    /// The charge, where it has a name already.
    var id: String?
    /// Seconds after which to try again.
    var retryAfter: Int?

    init(_ name: Name, _ detail: String, id: String? = nil, retryAfter: Int? = nil) {
        self.name = name
        self.detail = detail
        self.id = id
        self.retryAfter = retryAfter
    }

    /// What a body's problems are to its sender: unreadable as a whole, or wrong in its fields.
    init(_ fault: ChargeRequestProblems) {
        let codes = fault.problems.map(\.code)
        let name: Name =
            if codes.contains(.cardNumber) {
                .cardNumber
            } else if codes.contains(.invalidJSON) || codes.contains(.invalidForm) {
                .invalidBody
            } else {
                .invalidField
            }
        self.init(name, fault.description, id: fault.id?.text)
        errors = fault.problems
    }

    func response(requestID: String) -> HTTPResponse {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        // Relative: it names this server's own page, whatever host it has.
        writer.field("type", "/problems/\(name.rawValue)")
        writer.field("title", name.title)
        writer.field("status", name.status)
        writer.field("detail", detail)
        writer.fieldIfPresent("id", id)
        writer.field("request_id", requestID)
        if !errors.isEmpty {
            writer.name("errors")
            writer.beginArray()
            for error in errors {
                writer.beginObject()
                writer.field("pointer", error.pointer)
                writer.field("field", error.field)
                writer.field("code", error.code.rawValue)
                writer.field("detail", error.message)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
        var response = HTTPResponse(
            name.status, headers: [HTTPField("Content-Type", "application/problem+json")], body: writer.finish())
        if let retryAfter { response.headers.append(HTTPField("Retry-After", "\(retryAfter)")) }
        switch name {
        case .unauthorized:
            response.headers.append(HTTPField("WWW-Authenticate", "Bearer realm=\"chargeline\""))
            response.headers.append(HTTPField("WWW-Authenticate", "Basic realm=\"chargeline\", charset=\"UTF-8\""))
        case .mediaType:
            response.headers.append(HTTPField("Accept-Post", "application/json, application/x-www-form-urlencoded"))
        default: break
        }
        return response
    }
}

extension Problem.Name {
    var status: Int {
        switch self {
        case .invalidBody, .invalidHeader: 400
        case .unauthorized: 401
        case .notFound, .notSeen: 404
        case .methodNotAllowed: 405
        case .tooLarge: 413
        case .mediaType: 415
        case .invalidField, .cardNumber: 422
        case .unavailable, .queueFull, .notConfirmed, .noWorker: 503
        }
    }

    var title: String {
        switch self {
        case .invalidBody: "The body cannot be read"
        case .invalidField: "A field is wrong"
        case .cardNumber: "A card number was sent"
        case .invalidHeader: "A header is wrong"
        case .unauthorized: "No valid API key"
        case .notFound: "No such path"
        case .notSeen: "The charge was not seen by this server"
        case .methodNotAllowed: "The path has no such method"
        case .tooLarge: "The body is too large"
        case .mediaType: "The body is of a type that is not read here"
        case .unavailable: "The message broker is not available"
        case .queueFull: "The queue is full"
        case .notConfirmed: "The message broker did not confirm in time"
        case .noWorker: "No worker is running"
        }
    }

    /// What the page `/problems/<name>` says: what it means and what to do.
    var explanation: String {
        switch self {
        case .invalidBody: "Send one JSON object as application/json, or a form as application/x-www-form-urlencoded."
        case .invalidField:
            "The member errors names each field by its JSON pointer. Nothing was queued; mend them and send again."
        case .cardNumber:
            "Card numbers may not come this way. Turn the card into a token with Stripe's library, and send the token."
        case .invalidHeader: "The detail names the header. Nothing was queued."
        case .unauthorized: "Send Authorization: Bearer and a key that this server was given, or the key by HTTP Basic."
        case .notFound: "GET /openapi.json lists the calls."
        case .notSeen:
            "This server has not seen the charge since it started, or has seen very many since. "
                + "It is no proof that the charge does not exist."
        case .methodNotAllowed: "The header Allow lists the methods of the path."
        case .tooLarge: "Charges are small; the detail gives the limit."
        case .mediaType: "The header Accept-Post lists the types."
        case .unavailable, .queueFull:
            "Nothing was queued. Send the same request again, with the same id or Idempotency-Key, after Retry-After."
        case .notConfirmed:
            "The charge may have been queued. Send the same request again, with the same id or Idempotency-Key: "
                + "it remains one charge."
        case .noWorker: "Nothing was queued, because nobody would have carried it out while the buyer waits. Try again."
        }
    }
}
