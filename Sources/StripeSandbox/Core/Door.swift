/// The checks before anything is looked at: form, key, account, version.
enum Door {
    /// The parameters of a request: of its query, or of its body for POST.
    static func form(_ request: SandboxRequest) throws(StripeFailure) -> FormFields {
        if request.method == "POST" {
            if let type = request.contentType, type.lowercased().hasPrefix("application/json") {
                throw StripeFailure(
                    "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you "
                        + "have any questions, we can help at https://support.stripe.com/.")
            }
            guard let form = FormParser.parse(request.body) else { throw unreadable }
            return form
        }
        guard let form = FormParser.parse(Array(request.query.utf8)) else { throw unreadable }
        return form
    }

    private static let unreadable = StripeFailure(
        "Invalid request: the parameters are not application/x-www-form-urlencoded text in UTF-8.")

    /// Finds out whose request it is.
    static func open(_ visit: Visit, _ store: ObjectStore) throws(StripeFailure) {
        let request = visit.request
        guard let key = APIKey.read(authorization: request.authorization) else {
            throw .authentication(
                "You did not provide an API key. You need to provide your API key in the Authorization header, using "
                    + "Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See "
                    + "https://stripe.com/docs/api#authentication for details, or we can help at "
                    + "https://support.stripe.com/.")
        }
        switch key.kind {
        case .unknown: throw .authentication("Invalid API Key provided: \(key.masked)")
        case .publishable where request.path != "/v1/tokens":
            var failure = StripeFailure.authentication(
                "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a "
                    + "list of your API keys at https://dashboard.stripe.com/account/apikeys.")
            failure.code = "secret_key_required"
            throw failure
        case .readOnly where visit.isPost:
            throw StripeFailure(
                "The provided key '\(key.masked)' does not have the required permissions for this endpoint on account "
                    + "'acct_1Sandbox'. Having more permissions would allow this request to continue.", status: 403)
        default: break
        }
        if let account = request.account {
            guard account.hasPrefix("acct_"), !account.hasPrefix("acct_foreign") else {
                throw StripeFailure(
                    "The provided key '\(key.masked)' does not have access to account '\(account)' (or that account "
                        + "does not exist). Application access may have been revoked.", status: 403,
                    code: "account_invalid")
            }
        }
        if let version = request.version, !isVersion(version) {
            throw StripeFailure("Invalid Stripe API version: \(version)")
        }
        visit.isLive = key.isLive
        visit.scope = store.scope(account: request.account, isLive: key.isLive)
    }

    /// `2026-10-28.endive`, `2020-08-27`.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let day = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard day.map(\.count) == [4, 2, 2], day.allSatisfy({ Int($0) != nil }) else { return false }
        return parts.count == 1 || (!parts[1].isEmpty && parts[1].allSatisfy { $0.isLetter || $0 == "_" })
    }

    static func revoked(_ visit: Visit, _ fault: Fault) -> StripeFailure {
        let key = APIKey.read(authorization: visit.request.authorization)
        var failure = StripeFailure.authentication("Expired API Key provided: \(key?.masked ?? "")")
        failure.code = "api_key_expired"
        failure.shouldRetry = fault.shouldRetry
        return failure
    }

    static func unknownURL(_ visit: Visit) -> StripeFailure {
        let (method, path) = (visit.request.method, visit.request.path)
        return StripeFailure(
            "Unrecognized request URL (\(method): \(path)). Please see https://stripe.com/docs or we can help at "
                + "https://support.stripe.com/.", status: 404)
    }
}
