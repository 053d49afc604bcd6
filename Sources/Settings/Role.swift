/// What a process of chargeline is; some defaults depend on it.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Takes charges over HTTP and publishes them.
    case api
    /// Carries charges to Stripe.
    case worker
    /// A local Stripe.
    case sandbox
    /// Everything that runs once and ends: `send`, `parked`, `doctor`, …
    case tool
}
