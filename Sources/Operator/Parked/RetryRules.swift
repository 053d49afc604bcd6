internal import ChargeWire
internal import Charging
internal import JSONText
internal import Messaging
internal import Settings

/// What becomes of a parked message that is to be taken back to work.
enum RetryPlan: Sendable {
    /// A charge goes to its lane; the delivery is what a worker will see.
    case charge(ChargeDelivery, RoutedMessage)
    /// A result goes back to the results, as it was.
    case result(RoutedMessage)
    /// It stays, and why.
    case refused(String)
}

/// Which parked messages can be taken back to work, and with which headers. Their time of acceptance and what is known
/// of their sends stay as they are, so that the age rules hold: what may have been sent a day ago is only looked up.
struct RetryRules: Sendable {
    let topology: ChargeTopology
    /// The API of first sends, by whose limits a charge is read.
    let flow: Flow
    /// `--to-lane`.
    let lane: String?

    init(topology: ChargeTopology, flow: Flow, lane: String? = nil) {
        self.topology = topology
        self.flow = flow
        self.lane = lane
    }

    init(_ settings: ChargelineSettings, topology: ChargeTopology, lane: String? = nil) {
        self.init(
            topology: topology, flow: settings.stripeFlow == .charges ? .charges : .paymentIntents, lane: lane)
    }

    /// - Parameter now: ms since 1970.
    func plan(_ message: ParkedMessage, now: Int64) -> RetryPlan {
        if message.isTooLarge {
            return .refused("its body of \(message.bodyBytes) bytes is too large to be taken in")
        }
        if message.isResult { return result(message) }
        if let why = refusal(message) { return .refused(why) }
        let lane = lane ?? message.lane
        guard topology.lanes.contains(lane) else {
            return .refused(
                "there is no lane \(Shown.word(lane)) (CHARGELINE_LANES=\(topology.lanes.joined(separator: ","))): "
                    + "--to-lane sends it to another")
        }
        var delivery = message.charge
        delivery.lane = lane
        delivery.headers = headers(of: message, now: now)
        return .charge(delivery, topology.returned(message.message, as: delivery))
    }

    private func result(_ message: ParkedMessage) -> RetryPlan {
        guard topology.keepsResults else {
            return .refused("CHARGELINE_RESULTS=none: there is no queue of results for it to go back to")
        }
        guard let told = ResultKey(message.message.body) else {
            return .refused("it is not a result of chargeline: its consumer was right to reject it")
        }
        return .result(topology.returned(message.message, lane: told.lane, status: told.status))
    }

    /// The charge, where it can be read.
    func request(of message: ParkedMessage) -> ChargeRequest? { try? read(message) }

    private func read(_ message: ParkedMessage) throws(ChargeRequestProblems) -> ChargeRequest {
        try ChargeRequest(
            json: message.message.body, fallbackID: message.message.messageID,
            flow: message.charge.headers.flow ?? flow)
    }

    /// Why no worker could do better with it than before.
    private func refusal(_ message: ParkedMessage) -> String? {
        let reason = ParkReason(rawValue: message.reason)
        switch reason {
        case .cardNumber:
            return "a card number was taken out of it: its sender must send a token instead"
        case .doubled:
            return "Stripe has two payments for it: refund one there, then discard this"
        case nil where ![ParkedMessage.deliveryLimit, ParkedMessage.unknownLane].contains(message.reason):
            return "this version does not know the reason: retry it with the one that parked it"
        default: break
        }
        if let header = message.charge.badHeader {
            return
                "its header \(Shown.word(header)) is not understood by this version: retry it with the one that wrote it"
        }
        // What no worker has judged yet, a worker answers; what cannot be read it would only park again.
        guard message.reason != ParkedMessage.unknownLane else { return nil }
        do {
            _ = try read(message)
            return nil
        } catch {
            return "it cannot be charged as it is (\(error)): its sender must send it anew"
        }
    }

    /// The headers that it is to be taken up with: as they are, but for what its reason tells.
    func headers(of message: ParkedMessage, now: Int64) -> ChargeHeaders {
        var headers = message.charge.headers
        switch ParkReason(rawValue: message.reason) {
        case .killsWorkers:
            // Alone in its worker again, but not given up at once.
            headers.suspect = 1
        case .badHeaders:
            // What that header said is lost: look first.
            headers.phase = .lookup
        case nil where message.reason == ParkedMessage.deliveryLimit:
            headers.suspect = 1
        case .needsOperator, nil: return headers
        default: break
        }
        // A worker had it and may not have told: it may have been sent until just now.
        headers.firstSent = headers.firstSent ?? min(message.accepted ?? now, now)
        headers.lastSent = headers.lastSent ?? now
        return headers
    }
}

/// By what a result is routed. Read by itself, since a newer version may have words for its status, or keep records of
/// other things on the same exchange.
private struct ResultKey {
    let lane: String
    let status: String

    init?(_ body: [UInt8]) {
        var (event, lane, status): (String?, String?, String?)
        var reader = JSONReader(body)
        do throws(JSONError) {
            try reader.beginObject()
            while let name = try reader.nextName() {
                guard try reader.peek() == .string else {
                    try reader.skip()
                    continue
                }
                let text = try reader.string()
                switch name.text {
                case "event": event = text
                case "lane": lane = text
                case "status": status = text
                default: break
                }
            }
            try reader.end()
        } catch {
            return nil
        }
        guard event != nil, let lane, let status else { return nil }
        self.lane = lane
        self.status = status
    }
}
