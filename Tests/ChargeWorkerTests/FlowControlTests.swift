import Testing

@testable import ChargeWorker

private let second: Int64 = 1_000_000_000

struct RateLimitTests {
    /// How many tokens come in a stretch of time, asking every millisecond.
    private func taken(_ limit: inout RateLimit, from start: Int64, seconds: Double) -> Int {
        var count = 0
        for step in 0..<Int(seconds * 1000) {
            while limit.take(now: start + Int64(step) * 1_000_000) == nil { count += 1 }
        }
        return count
    }

    @Test(arguments: [1.0, 6.25, 25, 100, 1000])
    func `gives its rate, and no burst beyond a tenth of a second`(rate: Double) {
        var limit = RateLimit(perSecond: rate, now: 0)
        let count = taken(&limit, from: 0, seconds: 10)
        #expect(Double(count) <= rate * 10 + max(1, rate * 0.1))
        #expect(Double(count) >= rate * 9.9 - 1)
    }

    @Test func `no limit always gives`() {
        var limit = RateLimit(perSecond: 0, now: 0)
        #expect(limit.isUnlimited)
        for _ in 0..<10_000 { do { let wait = limit.take(now: 0); #expect(wait == nil) } }
    }

    @Test func `says exactly how long to wait`() throws {
        var limit = RateLimit(perSecond: 4, now: 0)
        do { let wait = limit.take(now: 0); #expect(wait == nil) }
        let wait = limit.take(now: 0)
        let pause = try #require(wait)
        do { let wait = limit.take(now: pause - 1_000_000); #expect(wait != nil) }
        do { let wait = limit.take(now: pause + 1); #expect(wait == nil) }
    }

    @Test func `a 429 lowers it once a second, and it grows back`() {
        var limit = RateLimit(perSecond: 30, now: 0)
        for _ in 0..<10 { limit.limited(now: 2 * second) }
        #expect(abs(limit.current - 20) < 0.001)
        limit.limited(now: 3 * second)
        #expect(abs(limit.current - 40.0 / 3) < 0.001)
        for step in 30...300 { _ = limit.take(now: Int64(step) * second / 10) }
        #expect(limit.current == 30)
    }

    @Test func `a clock that stands still or goes back gives nothing for free`() {
        var limit = RateLimit(perSecond: 10, now: 5 * second)
        _ = limit.take(now: 5 * second)
        do { let wait = limit.take(now: 5 * second); #expect(wait != nil) }
        do { let wait = limit.take(now: second); #expect(wait != nil) }
    }
}

struct BreakerTests {
    @Test func `opens after eight failures, not after seven`() {
        var breaker = Breaker()
        for _ in 0..<7 { breaker.failing() }
        #expect(breaker.state == .closed)
        breaker.failing()
        #expect(breaker.state == .open(.failing))
        #expect(breaker.allowance(of: 100) == 0)
    }

    @Test func `stays closed while most calls are answered`() {
        var breaker = Breaker()
        for step in 0..<1000 {
            if step % 3 == 0 { breaker.failing() } else { breaker.answered(slots: 100) }
        }
        #expect(breaker.state == .closed)
    }

    @Test func `comes back by a read, one charge, and a ramp`() {
        var breaker = Breaker()
        for _ in 0..<8 { breaker.failing() }
        breaker.answered(slots: 100)
        #expect(breaker.isOpen, "a late answer is no probe")
        breaker.probeAnswered()
        #expect(breaker.allowance(of: 100) == 1)
        breaker.answered(slots: 100)
        var widths: [Int] = []
        for _ in 0..<40 where breaker.state != .closed {
            widths.append(breaker.allowance(of: 100))
            breaker.answered(slots: 100)
        }
        #expect(widths.first == 2)
        #expect(widths == widths.sorted())
        #expect(breaker.allowance(of: 100) == 100)
    }

    @Test func `a trial that fails opens it again at once`() {
        var breaker = Breaker()
        for _ in 0..<8 { breaker.failing() }
        breaker.probeAnswered()
        breaker.failing()
        #expect(breaker.state == .open(.failing))
    }

    @Test func `three that never left, without any answer between, stop this worker`() {
        var breaker = Breaker()
        breaker.notSent()
        breaker.notSent()
        breaker.answered(slots: 10)
        breaker.notSent()
        breaker.notSent()
        #expect(breaker.state == .closed)
        breaker.notSent()
        #expect(breaker.state == .open(.unreachable))
    }

    @Test func `ten answers that are not Stripe's stop it, under that name`() {
        var breaker = Breaker()
        for _ in 0..<10 {
            breaker.answered(slots: 10)
            breaker.answered(slots: 10)
            breaker.answered(slots: 10)
        }
        for _ in 0..<10 { breaker.notStripe() }
        #expect(breaker.state == .open(.notStripe))
    }

    @Test func `twenty equal rejections in a row point to a setting`() {
        var breaker = Breaker()
        func rejects(_ times: Int, _ what: String) -> [Bool] {
            (0..<times).map { _ in breaker.rejected(what) }
        }
        #expect(!rejects(19, "parameter_unknown expand").contains(true))
        breaker.accepted()
        #expect(!rejects(19, "parameter_unknown expand").contains(true))
        #expect(!rejects(19, "resource_missing source").contains(true))
        #expect(rejects(1, "resource_missing source") == [true])
    }

    @Test func `what a person must mend is not hidden by later failures`() {
        var breaker = Breaker()
        breaker.operatorNeeded("STRIPE_SECRET_KEY: wrong")
        for _ in 0..<20 { breaker.failing() }
        #expect(breaker.state == .open(.operatorNeeded("STRIPE_SECRET_KEY: wrong")))
    }

    /// A worker whose key was revoked asked 2,400 times a second: its first probe has no pause, and twice nothing is
    /// nothing.
    @Test func `probes are a second apart at least, ten at most, also after one without a pause`() {
        var pauses: [Int64] = [0]
        for _ in 0..<6 { pauses.append(Breaker.probePause(after: pauses[pauses.count - 1])) }
        #expect(pauses.dropFirst().elementsEqual([1000, 2000, 4000, 8000, 10_000, 10_000]))
    }
}

struct LaneQueuesTests {
    private func drain(_ queues: inout LaneQueues<Int>, slots: Int) -> [Int] {
        var started: [Int] = []
        while let next = queues.next(slots: slots) { started.append(next.item) }
        return started
    }

    @Test func `lanes take turns`() {
        var queues = LaneQueues<Int>(laneCount: 2)
        for item in 0..<3 { queues.add(item, lane: 0, kind: .new, isSuspect: false) }
        for item in 10..<13 { queues.add(item, lane: 1, kind: .new, isSuspect: false) }
        #expect(drain(&queues, slots: 6) == [0, 10, 1, 11, 2, 12])
    }

    @Test func `charges coming back go first, with at most half of the slots`() {
        var queues = LaneQueues<Int>(laneCount: 1)
        for item in 0..<10 { queues.add(item, lane: 0, kind: .new, isSuspect: false) }
        for item in 100..<110 { queues.add(item, lane: 0, kind: .again, isSuspect: false) }
        let started = drain(&queues, slots: 8)
        #expect(started == [100, 101, 102, 103, 0, 1, 2, 3])
        queues.finish((.again, false))
        #expect(queues.next(slots: 8)?.item == 104)
    }

    @Test func `charges coming back may have all slots while nothing new waits`() {
        var queues = LaneQueues<Int>(laneCount: 1)
        for item in 0..<8 { queues.add(item, lane: 0, kind: .again, isSuspect: false) }
        #expect(drain(&queues, slots: 4) == [0, 1, 2, 3])
    }

    @Test func `a suspect goes alone`() {
        var queues = LaneQueues<Int>(laneCount: 1)
        queues.add(1, lane: 0, kind: .new, isSuspect: false)
        #expect(queues.next(slots: 4)?.item == 1)
        queues.add(2, lane: 0, kind: .new, isSuspect: false)
        queues.add(66, lane: 0, kind: .again, isSuspect: true)
        do { let none = queues.next(slots: 4); #expect(none == nil, "the first is still in flight") }
        queues.finish((.new, false))
        let alone = queues.next(slots: 4)
        #expect(alone?.item == 66)
        #expect(alone?.isSuspect == true)
        #expect(queues.next(slots: 4) == nil)
        queues.finish((.again, true))
        #expect(queues.next(slots: 4)?.item == 2)
    }

    @Test func `what a lost channel brought is forgotten, the rest keeps its order`() {
        var queues = LaneQueues<Int>(laneCount: 2)
        for item in 0..<6 { queues.add(item, lane: item % 2, kind: .new, isSuspect: false) }
        queues.add(7, lane: 0, kind: .again, isSuspect: true)
        queues.keep { $0 % 2 == 0 }
        #expect(queues.waitingCount == 3)
        #expect(!queues.hasSuspect)
        #expect(drain(&queues, slots: 9) == [0, 2, 4])
    }

    @Test func `never more in flight than slots`() {
        var queues = LaneQueues<Int>(laneCount: 3)
        for item in 0..<300 { queues.add(item, lane: item % 3, kind: item % 2 == 0 ? .new : .again, isSuspect: false) }
        #expect(drain(&queues, slots: 7).count == 7)
        #expect(queues.next(slots: 7) == nil)
        #expect(queues.waitingCount == 293)
    }
}
