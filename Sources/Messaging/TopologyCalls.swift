public import EventLoop

extension TopologyPlan {
    /// Declares the plan over a connection of its own, and waits for new queues to age. Call on the loop.
    ///
    /// - Returns: the queues that were new.
    /// - Throws: the problem, which names queue, argument, have and want where something exists with other arguments.
    public func declare(
        on loop: Loop, endpoints: [BrokerEndpoint], name: String
    ) async throws(LinkProblem) -> [String] {
        try await work(on: loop, endpoints, name) { (work) throws(LinkProblem) in try work.declare() }
    }

    /// Compares the broker with the plan and changes nothing. Bindings cannot be asked for over AMQP, so they are not
    /// compared. Call on the loop.
    public func check(
        on loop: Loop, endpoints: [BrokerEndpoint], name: String
    ) async throws(LinkProblem) -> [TopologyDifference] {
        try await work(on: loop, endpoints, name) { (work) throws(LinkProblem) in try work.check() }
    }

    private func work<Value: Sendable>(
        on loop: Loop, _ endpoints: [BrokerEndpoint], _ name: String,
        _ body: @escaping @Sendable (TopologyWork) throws(LinkProblem) -> Value
    ) async throws(LinkProblem) -> Value {
        let plan = LinkPlan(endpoints: endpoints, name: name, channels: [])
        if let fault = plan.fault { throw fault }
        let holder = CallHolder<Result<Value, LinkProblem>>()
        let result = await withUnsafeContinuation { continuation in
            holder.call = HelperCall(on: loop) { _ in
                perform(plan, self, body)
            } done: {
                continuation.resume(returning: $0)
            }
            if holder.call == nil {
                continuation.resume(returning: .failure(LinkProblem(.unreachable, "no thread can be made to connect")))
            }
        }
        holder.call = nil
        return try result.get()
    }
}

private final class CallHolder<Value: Sendable> {
    var call: HelperCall<Value>?
}

/// On a helper thread: the first endpoint that takes us.
private func perform<Value>(
    _ plan: LinkPlan, _ topology: TopologyPlan, _ body: (TopologyWork) throws(LinkProblem) -> Value
) -> Result<Value, LinkProblem> {
    var last = LinkProblem(.unreachable, "no broker address is given")
    for endpoint in plan.endpoints {
        do throws(LinkProblem) {
            let opened = try Connector(plan, endpoint).connect()
            defer { opened.handle.sayGoodbye() }
            return .success(
                try body(
                    TopologyWork(plan: topology, channel: TopologyChannel(opened.handle), isAbandoned: { false })))
        } catch {
            last = error
            // Another address cannot mend what a broker refused.
            if error.isPermanent { break }
        }
    }
    return .failure(last)
}
