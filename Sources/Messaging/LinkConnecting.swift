internal import CRabbitMQ
internal import EventLoop

/// What a helper thread brings back.
typealias ConnectResult = Result<OpenedConnection, LinkProblem>

extension BrokerLink {
    func makeChannels() {
        let context = ChannelContext(
            loop: loop, plan: plan, random: random,
            changed: { [unowned self] in refresh() }, stuck: { [unowned self] in broken($0) })
        let epochs = ConsumingChannel.Epochs()
        for (index, channel) in plan.channels.enumerated() {
            let number = UInt16(truncatingIfNeeded: index + 1)
            switch channel {
            case .publishing:
                let made = PublishingChannel(number: number, context: context)
                publisher = made
                channels.append(made)
            case .consuming(let consumer):
                let made = ConsumingChannel(
                    number: number, index: consumers.count, consumer: consumer, epochs: epochs, context: context,
                    onDelivery: { [unowned self] in if !isClosing { onDelivery?($0) } },
                    onCancelled: { [unowned self] in onConsumerCancelled?($0) })
                consumers.append(made)
                channels.append(made)
            }
        }
        depths = DepthChannel(number: UInt16(truncatingIfNeeded: plan.channels.count + 1), context: context)
    }

    /// Tries the next endpoint of the list.
    func connect() {
        guard state != .closed, wire == nil, call == nil else { return }
        let connector = Connector(plan, plan.endpoints[endpoint % plan.endpoints.count])
        let topology = plan.topology
        call = HelperCall<ConnectResult>(on: loop) { handover in
            open(connector, topology, isAbandoned: { handover.isAbandoned })
        } done: { [unowned self] result in
            call = nil
            patience?.disarm()
            switch result {
            case .success(let opened): connected(opened)
            case .failure(let problem): lost(problem, duringConnect: true)
            }
        }
        guard call != nil else {
            return lost(LinkProblem(.unreachable, "no thread can be made to connect"), duringConnect: true)
        }
        // The helper keeps its own deadlines; this is for what has none, such as a name server that does not answer.
        let declaring = topology.map { $0.settle + 30_000_000_000 } ?? 0
        patience?.arm(after: connector.deadline + declaring + 1_000_000_000)
    }

    func connectingTookTooLong() {
        call?.abandon()
        call = nil
        let address = plan.endpoints[endpoint % plan.endpoints.count].address
        lost(LinkProblem(.silent, "\(address): connecting took too long; given up"), duringConnect: true)
    }

    private func connected(_ opened: OpenedConnection) {
        connects += 1
        server = opened.server
        let wire = Wire(
            loop: loop, opened: opened,
            onFrame: { [unowned self] in received($0) }, onBroken: { [unowned self] in broken($0) })
        self.wire = wire
        for channel in channels { channel.attach(wire) }
        depths?.attach(wire)
        wire.flush()
        wire.open()
        refresh()
    }

    /// The connection is no good any more.
    func broken(_ problem: LinkProblem) {
        guard wire != nil else { return }
        dropWire()
        if isClosing { return finishClosing() }
        lost(problem, duringConnect: false)
    }

    private func dropWire() {
        let gone = wire
        gone?.close()
        wire = nil
        for channel in channels { channel.detach() }
        depths?.detach()
    }

    private func lost(_ problem: LinkProblem, duringConnect: Bool) {
        guard state != .closed else { return }
        become(problem.isPermanent ? .refused(problem) : .lost(problem))
        guard state != .closed else { return }
        endpoint += 1
        // The rest of the list comes at once, then the wait.
        if duringConnect, endpoint % plan.endpoints.count != 0 { return connect() }
        retry?.arm(
            after: backoff.next(now: LoopClock.monotonic(), isPermanent: problem.isPermanent, chance: random()))
    }

    func finishClosing() {
        call?.abandon()
        call = nil
        retry?.disarm()
        patience?.disarm()
        let waiting = closing
        closing = nil
        become(.closed)
        dropWire()
        waiting?.resume()
    }

    /// Works the state out anew from what the channels say.
    func refresh() {
        guard wire != nil, !isClosing else { return }
        if let bad = channels.first(where: { !$0.isReady && $0.problem != nil }), let problem = bad.problem {
            become(problem.isPermanent ? .refused(problem) : .lost(problem))
        } else if channels.allSatisfy(\.isReady) {
            backoff.succeeded(now: LoopClock.monotonic())
            become(publisher?.blocked.map { .blocked($0) } ?? .ready)
        }
    }

    func become(_ new: LinkState) {
        guard new != state, state != .closed else { return }
        state = new
        wakeWaiters()
        onStateChange?(new)
    }

    func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }
}

/// On a helper thread: all that has to be there before a loop takes over.
private func open(
    _ connector: Connector, _ topology: TopologyPlan?, isAbandoned: @escaping () -> Bool
) -> ConnectResult {
    do throws(LinkProblem) {
        let opened = try connector.connect()
        if let topology, !isAbandoned() {
            let work = TopologyWork(
                plan: topology, channel: TopologyChannel(opened.handle), isAbandoned: isAbandoned)
            do throws(LinkProblem) {
                _ = try work.declare()
            } catch {
                opened.handle.sayGoodbye()
                throw error
            }
        }
        Connector.release(opened)
        return .success(opened)
    } catch {
        return .failure(error)
    }
}
