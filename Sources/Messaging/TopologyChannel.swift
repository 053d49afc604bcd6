internal import CRabbitMQ

/// A channel for blocking declarations, opened again after each refusal: the broker closes it with every 404 and 406.
final class TopologyChannel {
    private let handle: ConnectionHandle
    private var isOpen = false
    private static let number: amqp_channel_t = 1

    init(_ handle: ConnectionHandle) {
        self.handle = handle
    }

    /// Whether the broker did it; its words where it refused on this channel. Throws where the connection is gone.
    func attempt(_ call: (amqp_connection_state_t, amqp_channel_t) -> Void) throws(LinkProblem) -> ServerWords? {
        if !isOpen {
            amqp_channel_open(handle.connection, Self.number)
            if let words = try refusal() { throw words.channelProblem(subject: nil) }
            isOpen = true
        }
        call(handle.connection, Self.number)
        return try refusal()
    }

    func close() throws(LinkProblem) {
        guard isOpen else { return }
        isOpen = false
        amqp_channel_close(handle.connection, Self.number, 200)
        _ = try refusal()
    }

    private func refusal() throws(LinkProblem) -> ServerWords? {
        let reply = amqp_get_rpc_reply(handle.connection)
        switch RPCFailure(reply) {
        case nil:
            return nil
        case .server(let words) where reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD:
            var ok = amqp_channel_close_ok_t(dummy: 0)
            amqp_send_method(handle.connection, Self.number, AMQP_CHANNEL_CLOSE_OK_METHOD, &ok)
            isOpen = false
            return words
        case .server(let words):
            throw words.connectionProblem
        case .library(let status) where status == AMQP_STATUS_TIMEOUT.rawValue:
            throw LinkProblem(
                .silent, "the broker did not answer a declaration within \(Connector.rpcSeconds) s",
                mend: ServerWords.queueMend)
        case .library(let status):
            throw LinkProblem(.cut, "the connection broke while declaring: \(RPCFailure.text(status))")
        }
    }
}

extension TopologyChannel {
    func exchange(_ exchange: TopologyPlan.Exchange, passive: Bool) throws(LinkProblem) -> ServerWords? {
        let table = ArgumentTable(exchange.arguments)
        return try attempt { connection, channel in
            withExtendedLifetime(table) {
                withAMQPBytes(exchange.name) { name in
                    withAMQPBytes(exchange.type) { type in
                        _ = amqp_exchange_declare(
                            connection, channel, name, type, passive ? 1 : 0, 1, 0, 0, table.table)
                    }
                }
            }
        }
    }

    func queue(_ queue: TopologyPlan.Queue, passive: Bool) throws(LinkProblem) -> ServerWords? {
        let table = ArgumentTable(queue.arguments)
        return try attempt { connection, channel in
            withExtendedLifetime(table) {
                withAMQPBytes(queue.name) { name in
                    _ = amqp_queue_declare(
                        connection, channel, name, passive ? 1 : 0, queue.isDurable ? 1 : 0,
                        queue.isExclusive ? 1 : 0, queue.isAutoDelete ? 1 : 0, table.table)
                }
            }
        }
    }

    func bind(_ binding: TopologyPlan.Binding) throws(LinkProblem) -> ServerWords? {
        try attempt { connection, channel in
            withAMQPBytes(binding.queue) { queue in
                withAMQPBytes(binding.exchange) { exchange in
                    withAMQPBytes(binding.routingKey) { key in
                        _ = amqp_queue_bind(connection, channel, queue, exchange, key, amqp_empty_table)
                    }
                }
            }
        }
    }
}
