/// How Stripe is reached.
public struct StripeSettings: Sendable {
    /// The version of the API that this code is written for; a newer one may rename what decides (docs:
    /// api/versioning).
    public static let apiVersion = "2026-10-28.endive"

    /// The base of all addresses, without a slash at its end.
    public var base: String
    /// How long one request may take, ms.
    public var timeoutMilliseconds: Int
    /// This program's version, told in `User-Agent`.
    public var programVersion: String

    /// Makes settings.
    public init(base: String = "https://api.stripe.com", timeoutMilliseconds: Int = 30_000, programVersion: String) {
        self.base = base
        self.timeoutMilliseconds = timeoutMilliseconds
        self.programVersion = programVersion
    }
}
