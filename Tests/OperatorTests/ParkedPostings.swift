import CRabbitMQ
import ChargeWire
import Charging
import EventLoop
import TestSupport
import Testing

@testable import Messaging

/// Messages as they lie in the parked queue.
extension ToolRig {
    static func now() -> Int64 { LoopClock.wall() }

    /// A charge that a worker parked.
    func parked(
        _ id: String, _ reason: String, token: String = "tok_visa", lane: String = "checkout", body: String? = nil,
        accepted: Int64 = now() - 60_000, change: (inout ChargeHeaders) -> Void = { _ in },
        further: [MessageHeader] = []
    ) -> Posting {
        var headers = ChargeHeaders(accepted: accepted)
        change(&headers)
        let charge = #"{"id":"\#(id)","token":"\#(token)","amount":500,"currency":"usd"}"#
        let message = Message(
            body: Array((body ?? charge).utf8), contentType: "application/json", messageID: id,
            correlationID: "cor-\(id)", timestamp: accepted / 1000,
            headers: headers.messageHeaders + [MessageHeader(ChargeHeaders.Name.reason, .text(reason))] + further)
        return Posting(exchange: topology.parked, key: "\(lane).\(reason)", message: message)
    }

    /// The ids of what is parked now, in order; all of it is taken.
    func takeParked(_ count: Int) async throws -> [String] {
        try await take(count, from: topology.parked).map { $0.message.messageID ?? "" }
    }

    /// A number that the sandbox counts, such as `charged`, or one of a list, such as `doubled.0`.
    func sandbox(_ name: String) async throws -> String {
        let base = environment["STRIPE_API_BASE"] ?? ""
        let answer = try await ChildProcess.run("/usr/bin/curl", ["-s", "\(base)/_sandbox/stats"])
        return try members(of: answer.output)[name] ?? "none"
    }

    /// The lines of the sandbox' ledger.
    func ledger() async throws -> [String] {
        let base = environment["STRIPE_API_BASE"] ?? ""
        return try await ChildProcess.run("/usr/bin/curl", ["-s", "\(base)/_sandbox/ledger"]).output
            .split(separator: "\n").map(String.init)
    }

    /// Consumes a queue as a program does that cannot use what it gets: each delivery is rejected for good.
    func reject(_ count: Int, from queue: String) async throws {
        let port = broker.port
        let failure = await withCheckedContinuation { continuation in
            onHelperThread { continuation.resume(returning: rejecting(count, queue, port)) }
        }
        try #require(failure == nil, "\(failure ?? "")")
    }
}

extension Posting {
    /// As a consumer would get it.
    var delivered: Delivery {
        Delivery(
            message: message, exchange: exchange, routingKey: key, redelivered: false, deliveryCount: 0,
            bodyBytes: message.body.count, consumer: 0, receipt: Receipt(epoch: 1, channel: 1, tag: 1))
    }
}

private func rejecting(_ count: Int, _ queue: String, _ port: Int) -> String? {
    guard let connection = amqp_new_connection(), let socket = amqp_tcp_socket_new(connection) else { return "memory" }
    defer { amqp_destroy_connection(connection) }
    guard amqp_socket_open(socket, "127.0.0.1", Int32(port)) == 0 else { return "connect" }
    var none = amqp_empty_table
    let login = cl_amqp_login(connection, "/", 131_072, 0, &none, "guest", "guest")
    guard login.reply_type == AMQP_RESPONSE_NORMAL else { return "login" }
    guard amqp_channel_open(connection, 1) != nil, amqp_basic_qos(connection, 1, 0, 1, 0) != nil else {
        return "channel"
    }
    let consumer = queue.withCString {
        amqp_basic_consume(connection, 1, amqp_cstring_bytes($0), amqp_empty_bytes, 0, 0, 0, amqp_empty_table)
    }
    guard consumer != nil else { return "consume" }
    for _ in 0..<count {
        var envelope = amqp_envelope_t()
        amqp_maybe_release_buffers(connection)
        guard amqp_consume_message(connection, &envelope, nil, 0).reply_type == AMQP_RESPONSE_NORMAL else {
            return "delivery"
        }
        let tag = envelope.delivery_tag
        amqp_destroy_envelope(&envelope)
        guard amqp_basic_reject(connection, 1, tag, 0) == 0 else { return "reject" }
    }
    _ = amqp_connection_close(connection, AMQP_REPLY_SUCCESS)
    return nil
}
