import Charging

/// A fault built into the life of a charge from outside: by wrapping a port, or changing what a visit is given.
public struct Mutation: Sendable {
    /// What is wrong, in a few words.
    public let name: String
    var broker: (@Sendable (VisitDesk) -> any BrokerPort)?
    var stripe: (@Sendable (VisitDesk) -> any StripePort)?
    var clock: (@Sendable (VisitDesk) -> any ClockPort)?
    var delivery: (@Sendable (inout ChargeDelivery) -> Void)?
    var settings: (@Sendable (inout VisitSettings) -> Void)?

    init(_ name: String) {
        self.name = name
    }
}
