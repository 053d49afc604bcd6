import ChargeWire
import Charging
import Messaging
import Testing

@testable import Operator

/// Where each kind of parked message goes, as a function of values.
@Suite struct RetryRulesTests {
    static let topology = ChargeTopology(prefix: "p", lanes: ["checkout", "batch"], tiers: [])
    static let now: Int64 = 1_800_000_000_000

    static func plan(
        _ key: String, exchange: String = "p.parked", reason: String? = nil, body: String? = nil,
        headers: ChargeHeaders = ChargeHeaders(accepted: now - 60_000), further: [MessageHeader] = [],
        keepsResults: Bool = true, lane: String? = nil
    ) -> RetryPlan {
        let topology = ChargeTopology(
            prefix: "p", lanes: topology.lanes, tiers: [], keepsResults: keepsResults)
        let why = reason.map { [MessageHeader(ChargeHeaders.Name.reason, .text($0))] } ?? []
        let charge = #"{"id":"order-1","token":"tok_visa","amount":500,"currency":"usd"}"#
        let posting = Posting(
            exchange: exchange, key: key,
            message: Message(
                body: Array((body ?? charge).utf8), messageID: "order-1",
                headers: headers.messageHeaders + why + further))
        return RetryRules(topology: topology, flow: .paymentIntents, lane: lane)
            .plan(ParkedMessage(posting.delivered, in: topology), now: now)
    }

    @Test(arguments: [
        "operator", "absent", "kills-workers", "invalid-after-send", "bad-headers", "delivery-limit",
    ])
    func `a charge goes to the lane it came by, and may have been sent where nobody can tell`(reason: String) throws {
        guard case .charge(let delivery, let routed) = Self.plan("batch.\(reason)", reason: reason) else {
            Issue.record("refused")
            return
        }
        #expect(routed.exchange == "p.charges" && routed.routingKey == "retry.batch" && delivery.lane == "batch")
        #expect(delivery.headers.accepted == Self.now - 60_000)
        #expect((delivery.headers.firstSent == nil) == (reason == "operator"))
        #expect(delivery.headers.suspect == (["kills-workers", "delivery-limit"].contains(reason) ? 1 : 0))
        #expect(delivery.headers.phase == (reason == "bad-headers" ? .lookup : .charge))
    }

    @Test(
        arguments: [
            ("batch.doubled", nil, "refund one"), ("batch.card-number", nil, "send a token"),
            ("batch.unreadable", "nonsense", "send it anew"),
            ("batch.invalid-after-send", #"{"id":"x"}"#, "send it anew"),
            ("old.operator", nil, "no lane old (CHARGELINE_LANES=checkout,batch)"),
            ("batch.novel", nil, "does not know"),
            ("result.rejected", nil, "not a result of chargeline"),
        ] as [(String, String?, String)])
    func `what cannot be done better says why`(key: String, body: String?, words: String) {
        guard case .refused(let why) = Self.plan(key, body: body) else {
            Issue.record("not refused")
            return
        }
        #expect(why.contains(words), "\(why)")
    }

    @Test func `a header that is not understood stays with the version that wrote it`() {
        let newer = MessageHeader(ChargeHeaders.Name.phase, .text("hologram"))
        guard case .refused(let why) = Self.plan("batch.bad-headers", further: [newer]) else {
            Issue.record("not refused")
            return
        }
        #expect(why.contains("x-chargeline-phase is not understood"))
    }

    @Test(arguments: [("batch", true), ("600s.batch", true), ("bach", false), ("600s.bach", false)])
    func `what was published for no lane goes to it once there is one`(key: String, goes: Bool) {
        let plan = Self.plan(key, exchange: "p.charges", body: "not for us to judge")
        if case .charge(_, let routed) = plan {
            #expect(goes && routed.routingKey == "retry.batch")
        } else {
            #expect(!goes)
        }
        guard case .charge(_, let moved) = Self.plan(key, exchange: "p.charges", lane: "checkout") else {
            Issue.record("refused")
            return
        }
        #expect(moved.routingKey == "retry.checkout")
    }

    @Test func `without a queue of results a result stays`() throws {
        let result = try ResultsToolTests.result(1, Self.topology)
        let body = String(decoding: result.message.body, as: UTF8.self)
        guard case .result(let routed) = Self.plan("result.rejected", body: body) else {
            Issue.record("refused")
            return
        }
        #expect(routed.exchange == "p.results" && routed.routingKey == "checkout.succeeded")
        guard case .refused = Self.plan("result.rejected", body: body, keepsResults: false) else {
            Issue.record("not refused")
            return
        }
    }
}
