import Charging

/// A charge's message in a queue.
struct QueuedMessage {
    /// What was published, shared by all copies and deliveries.
    let content: Content
    /// When it was accepted, whatever its headers became.
    var accepted: Int64?
    let charge: Int
    let variant: Int
    /// Which of the lanes.
    let lane: Int
    /// The broker's count of its deliveries that came back.
    var returns = 0

    /// Body, properties and headers.
    final class Content {
        let delivery: ChargeDelivery
        let isMarkedSuspect: Bool

        init(_ delivery: ChargeDelivery) {
            self.delivery = delivery
            isMarkedSuspect = delivery.headers.suspect > 0
        }
    }

    init(_ delivery: ChargeDelivery, accepted: Int64?, charge: Int, variant: Int, lane: Int) {
        content = Content(delivery)
        self.accepted = accepted
        self.charge = charge
        self.variant = variant
        self.lane = lane
    }
}

/// A delivery that is not acked yet.
final class OpenDelivery {
    let message: QueuedMessage
    let handle: DeliveryHandle
    /// Something that takes its place is stored, and the worker was told so: it may be acked.
    var isSafe = false
    /// It is stored, told or not: given out again, this delivery is a second copy.
    var hasSuccessor = false
    /// It went back to its queue.
    var isReturned = false

    init(_ message: QueuedMessage, _ handle: DeliveryHandle) {
        self.message = message
        self.handle = handle
    }

    var tag: UInt64 { handle.tag }

    /// What its worker gets.
    var delivery: ChargeDelivery {
        var delivery = message.content.delivery
        delivery.handle = handle
        delivery.redelivered = message.returns > 0
        delivery.deliveryCount = message.returns
        return delivery
    }

    /// Whether it must be alone in its process, as `ChargeDelivery` tells.
    var isSuspect: Bool { message.content.isMarkedSuspect && message.returns < 2 }
}

/// A consumer's channel.
final class BrokerChannel {
    let worker: SimulatedWorker
    let epoch: Int
    var open: [OpenDelivery] = []
    var isOpen = true

    init(_ worker: SimulatedWorker, epoch: Int) {
        self.worker = worker
        self.epoch = epoch
    }
}

/// RabbitMQ on virtual time: lanes and what comes back to them, wait queues, confirms, redelivery.
final class SimulatedBroker {
    unowned(unsafe) let world: World
    /// Two for each lane: new charges, and those coming back.
    private var queues = [MessageQueue](repeating: MessageQueue(), count: 4)
    private var channels: [BrokerChannel] = []
    /// What fell due in a wait queue while the broker was away.
    private var overdue: [QueuedMessage] = []
    private(set) var isUp = true
    private(set) var waiting = 0
    private(set) var unacked = 0
    private(set) var queued = 0
    private var nextTag: UInt64 = 0
    /// Until then the results queue refuses everything.
    var resultsFullUntil: Int64 = 0
    /// Counts the broker's lives: a connection of an earlier one is gone.
    private(set) var life = 0

    static let lanes = ["checkout", "batch"]

    init(world: World) {
        self.world = world
    }

    /// Whether nothing is in it but results and parked messages.
    var isEmpty: Bool { queued == 0 && waiting == 0 && unacked == 0 }

    // MARK: Queues

    /// A new charge, from its submitter.
    func submit(_ message: QueuedMessage) {
        put(message, again: false, first: false)
    }

    private func put(_ message: QueuedMessage, again: Bool, first: Bool) {
        queues[message.lane * 2 + (again ? 1 : 0)].put(message, first: first)
        queued += 1
        pump()
    }

    private func putLater(_ message: QueuedMessage, _ delay: Int64) {
        waiting += 1
        world.clock.after(delay) { [unowned(unsafe) self] in comeBack(message) }
    }

    private func comeBack(_ message: QueuedMessage) {
        // What falls due while the broker is away comes out once it is back.
        guard isUp else { return overdue.append(message) }
        waiting -= 1
        if world.twinsLeft > 0, world.random.happens(world.weather.twin) {
            world.twinsLeft -= 1
            world.story.tell(
                world.now, charge: message.charge, .submitted, detail: 9, "is doubled by dead-lettering")
            world.audit.copied(message)
            put(message, again: true, first: false)
        }
        put(message, again: true, first: false)
    }

    // MARK: Consumers

    /// Opens a channel for a worker and consumes on it.
    func consume(_ worker: SimulatedWorker) -> Int {
        channels.append(BrokerChannel(worker, epoch: channels.count))
        return channels.count - 1
    }

    /// Delivers what can be delivered.
    func pump() {
        guard isUp, queued > 0 else { return }
        var place = world.random.below(world.workers.count)
        var full = 0
        while queued > 0, full < world.workers.count {
            let worker = world.workers[place % world.workers.count]
            place += 1
            guard worker.wants > 0, let epoch = worker.consuming, let message = nextMessage() else {
                full += 1
                continue
            }
            full = 0
            deliver(message, channels[epoch])
        }
    }

    private func nextMessage() -> QueuedMessage? {
        // Of the queues that hold something, any: what comes back is served first most of the time.
        let lane = world.random.below(2)
        let first = world.random.happens(0.7) ? 1 : 0
        for index in 0..<4 {
            if let message = queues[(index ^ first) ^ (2 * lane)].take() {
                queued -= 1
                return message
            }
        }
        return nil
    }

    private func deliver(_ message: QueuedMessage, _ channel: BrokerChannel) {
        nextTag += 1
        let open = OpenDelivery(message, DeliveryHandle(epoch: channel.epoch, channel: 1, tag: nextTag))
        channel.open.append(open)
        unacked += 1
        channel.worker.take(open)
    }

    func ack(_ handle: DeliveryHandle, worker: Int, charge: Int) {
        guard let channel = channel(handle.epoch), let place = channel.open.firstIndex(where: { $0.tag == handle.tag })
        else {
            world.story.tell(
                world.now, worker: worker, charge: charge, .ackIgnored, "its ack comes too late: the channel has gone")
            return
        }
        let open = channel.open.remove(at: place)
        unacked -= 1
        world.story.tell(world.now, worker: worker, charge: open.message.charge, .acked, "acks it")
        world.audit.acked(open, worker: worker)
    }

    /// The channel of an epoch, while it lives.
    func channel(_ epoch: Int) -> BrokerChannel? {
        channels.indices.contains(epoch) && channels[epoch].isOpen ? channels[epoch] : nil
    }

    /// A channel ends: what it held is delivered again.
    func close(_ epoch: Int) {
        guard let channel = channel(epoch) else { return }
        channel.isOpen = false
        let back = channel.open
        channel.open = []
        unacked -= back.count
        for open in world.random.happens(0.5) ? back : back.reversed() {
            var message = open.message
            open.isReturned = true
            if open.hasSuccessor { world.audit.copied(message) }
            message.returns += 1
            if message.returns > 20 {
                world.audit.parked(message, reason: "delivery-limit")
            } else {
                let queue = message.lane * 2 + world.random.below(2)
                queues[queue].put(message, first: world.random.happens(0.7))
                queued += 1
            }
        }
        channel.worker.lost(epoch)
        pump()
    }

    // MARK: Up and down

    func goDown(for length: Int64) {
        guard isUp else { return }
        isUp = false
        life += 1
        world.story.tell(world.now, .brokerDown, "the broker goes down for \(length / 1000) s")
        for channel in channels where channel.isOpen { close(channel.epoch) }
        world.clock.after(length) { [unowned(unsafe) self] in
            isUp = true
            world.story.tell(world.now, .brokerUp, "the broker is back")
            let due = overdue
            overdue = []
            for message in due { comeBack(message) }
            for worker in world.workers { worker.connect() }
        }
    }

    // MARK: Publishing

    /// A message has arrived: what takes its delivery's place, if anything does, is stored from now on.
    func store(_ message: OutgoingMessage, of open: OpenDelivery) {
        let source = open.message
        if message.settles {
            if open.isReturned || open.hasSuccessor { world.audit.copied(source) }
            open.hasSuccessor = true
        }
        switch message {
        case .result(let result, _):
            world.audit.stored(result, of: source)
        case .wait(let tier, let delivery, let headers):
            putLater(successor(of: source, delivery, headers), tier.milliseconds)
        case .again(let delivery, let headers):
            put(successor(of: source, delivery, headers), again: true, first: false)
        case .park(let reason, _, _, _):
            world.audit.parked(source, reason: reason.rawValue)
        }
    }

    private func successor(
        of source: QueuedMessage, _ delivery: ChargeDelivery, _ headers: ChargeHeaders
    ) -> QueuedMessage {
        var delivery = delivery
        delivery.headers = headers
        return QueuedMessage(
            delivery, accepted: source.accepted ?? headers.accepted, charge: source.charge, variant: source.variant,
            lane: source.lane)
    }
}

/// First in, first out, with returns to the head.
struct MessageQueue {
    private var messages: [QueuedMessage] = []
    private var head = 0

    mutating func put(_ message: QueuedMessage, first: Bool) {
        if first, head > 0 {
            head -= 1
            messages[head] = message
        } else if first {
            messages.insert(message, at: 0)
        } else {
            messages.append(message)
        }
    }

    mutating func take() -> QueuedMessage? {
        guard head < messages.count else { return nil }
        let message = messages[head]
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: true)
            head = 0
        }
        return message
    }
}
