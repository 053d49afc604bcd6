import Charging

/// A fault built into the life of a charge from outside: by wrapping a port, or changing what a visit is given. The
/// audit must find each.
public struct Mutation: Sendable, CustomStringConvertible {
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

    /// The name.
    public var description: String { name }

    /// All of them.
    public static let all: [Mutation] = [
        broker("acks before the confirm", .acksFirst),
        broker("takes a lost or refused publish for a confirmed one", .trustsEveryPublish),
        broker("acks without publishing the result", .keepsResults),
        broker("republishes without what was learned", .forgetsHeaders),
        broker("says unknown as declined", .saysUnknownAsDeclined),
        broker("says succeeded as declined", .saysTheOpposite),
        stripe("makes the key from the attempt", .keyFromAttempt),
        stripe("reads a 5xx as declined", .readsAsDecline { $0.status.map { $0 >= 500 } ?? false }),
        stripe("reads no answer as declined", .readsAsDecline { $0.isNoAnswer }),
        stripe("reads a 409 as declined", .readsAsDecline { $0.status == 409 }),
        stripe("reads a 429 as declined", .readsAsDecline { $0.status == 429 }),
        stripe("searches blindly", .searchesBlindly),
        stripe("calls a token burnt without asking", .neverBurns),
        stripe("calls an intent cancelled without asking", .neverCancels),
        delivery("forgets its phase") { $0.headers.phase = .charge },
        clock("knows no age"),
    ]

    private static func broker(_ name: String, _ wrong: MutantBroker.Wrong) -> Mutation {
        var mutation = Mutation(name)
        mutation.broker = { MutantBroker($0, wrong) }
        return mutation
    }

    private static func stripe(_ name: String, _ wrong: MutantStripe.Wrong) -> Mutation {
        var mutation = Mutation(name)
        mutation.stripe = { MutantStripe($0, wrong) }
        return mutation
    }

    private static func delivery(
        _ name: String, _ change: @escaping @Sendable (inout ChargeDelivery) -> Void
    ) -> Mutation {
        var mutation = Mutation(name)
        mutation.delivery = change
        return mutation
    }

    private static func clock(_ name: String) -> Mutation {
        var mutation = Mutation(name)
        mutation.clock = { StoppedClock($0) }
        return mutation
    }
}

extension StripeOutcome {
    fileprivate var status: Int? {
        if case .answered(let answer) = self { answer.status } else { nil }
    }

    fileprivate var isNoAnswer: Bool {
        if case .noAnswer = self { true } else { false }
    }
}
