import Charging
import HTTPClient
import Settings
import StripeClient
import TestSupport
import Testing

/// A gateway on a loop of its own, in front of a server that does what the test says.
func withStripe<Result: Sendable>(
    key: String = "sk_test_4eC39HqLyjWDarjtT1zdp7dc", timeout: Int = 50_000,
    script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step],
    _ body: @escaping @Sendable (StripeGateway, ScriptedServer) async throws -> Result
) async throws -> Result {
    let server = ScriptedServer(script: script)
    defer { server.stop() }
    return try await onTestLoop { room in
        let transfers = Transfers(
            loop: room.loop, settings: TransferSettings(atOnce: 64), capturing: StripeGateway.capturedHeaders)
        defer { transfers.shutdown() }
        let settings = StripeSettings(base: server.base, timeoutMilliseconds: timeout, programVersion: "1.2.3")
        return try await body(StripeGateway(transfers: transfers, settings: settings, key: Secret(key)), server)
    }
}

/// What a charge comes to when Stripe answers this.
func outcome(
    _ status: Int, _ body: String, _ headers: [(String, String)] = [("Request-Id", "req_1")]
) async throws -> StripeOutcome {
    try await withStripe(script: { _ in [.reply(status, body, headers)] }) { stripe, _ in
        await stripe.charge(try order(1001), form: [], flow: .paymentIntents, account: nil)
    }
}

func order(_ number: Int) throws -> ChargeID {
    try ChargeID(validating: "order-\(number)")
}

extension StripeOutcome {
    /// The answer; anything else fails the test.
    var answer: StripeAnswer {
        get throws {
            guard case .answered(let answer) = self else { throw Unexpected(what: "\(self)") }
            return answer
        }
    }

    /// The object answered.
    var object: StripeObject {
        get throws {
            guard case .object(let object) = try answer.body else { throw Unexpected(what: "\(self)") }
            return object
        }
    }

    /// The error answered.
    var error: StripeError {
        get throws {
            guard case .error(let error) = try answer.body else { throw Unexpected(what: "\(self)") }
            return error
        }
    }
}

struct Unexpected: Error {
    let what: String
}
