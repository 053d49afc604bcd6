internal import Charging
internal import EventLoop

/// Those who wait for the rate, a queue a lane, served in turn; look-ups have a queue of their own and a fifth of the
/// rate.
final class TurnQueue {
    private var rate: RateLimit
    private var lookUpRate: RateLimit
    private var lanes: [String: Ring<UnsafeContinuation<Turn, Never>>] = [:]
    private var order: [String] = []
    private var nextLane = 0
    private var lookUps = Ring<UnsafeContinuation<Turn, Never>>()
    private var timer: LoopTimer?

    init(loop: Loop, perSecond: Double) {
        let now = LoopClock.monotonic()
        rate = RateLimit(perSecond: perSecond, now: now)
        lookUpRate = RateLimit(perSecond: perSecond / 5, now: now)
        timer = loop.makeTimer { [unowned self] in serve() }
    }

    /// Requests a second now; 0 without a limit.
    var perSecond: Double { rate.current }

    /// A turn for a lane, or for a look-up.
    func wait(_ use: StripeUse, lane: String) async -> Turn {
        if rate.isUnlimited, use == .charge { return .go }
        return await withUnsafeContinuation { continuation in
            if use == .lookup {
                lookUps.append(continuation)
            } else {
                if lanes[lane] == nil { order.append(lane) }
                lanes[lane, default: Ring()].append(continuation)
            }
            serve()
        }
    }

    func limited() {
        rate.limited(now: LoopClock.monotonic())
        lookUpRate.limited(now: LoopClock.monotonic())
    }

    /// Turns all away: nobody may call for now.
    func stopAll() {
        while let first = lookUps.popFirst() { first.resume(returning: .stop) }
        while let first = popLane() { first.resume(returning: .stop) }
        timer?.disarm()
    }

    private func serve() {
        let now = LoopClock.monotonic()
        var wait = Int64.max
        while !lookUps.isEmpty {
            if let pause = lookUpRate.take(now: now) {
                wait = min(wait, pause)
                break
            }
            if let pause = rate.take(now: now) {
                lookUpRate.putBack()
                wait = min(wait, pause)
                break
            }
            lookUps.popFirst()?.resume(returning: .go)
        }
        while hasCharges {
            if let pause = rate.take(now: now) {
                wait = min(wait, pause)
                break
            }
            popLane()?.resume(returning: .go)
        }
        if wait < .max { timer?.arm(at: now + wait) } else { timer?.disarm() }
    }

    private var hasCharges: Bool { lanes.values.contains { !$0.isEmpty } }

    private func popLane() -> UnsafeContinuation<Turn, Never>? {
        for step in 0..<order.count {
            let index = (nextLane + step) % order.count
            if let first = lanes[order[index]]?.popFirst() {
                nextLane = (index + 1) % order.count
                return first
            }
        }
        return nil
    }
}
