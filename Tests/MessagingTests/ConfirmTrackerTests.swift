import Testing

@testable import Messaging

struct ConfirmTrackerTests {
    private typealias Tracker = ConfirmTracker<Int>

    private func tracker(_ count: Int) -> Tracker {
        var tracker = Tracker()
        for number in 1...count {
            tracker.published(number, bytes: 10, end: UInt64(number * 100), deadline: Int64(number))
        }
        return tracker
    }

    private func settled(_ body: (inout [Tracker.Settled]) -> Void) -> [String] {
        var settled: [Tracker.Settled] = []
        body(&settled)
        return settled.map { "\($0.waiter) \($0.outcome)" }
    }

    @Test func `confirms come in any order`() {
        var tracker = tracker(4)
        #expect(settled { tracker.answered(2, multiple: false, nack: false, into: &$0) } == ["2 confirmed"])
        #expect(settled { tracker.answered(4, multiple: false, nack: true, into: &$0) } == ["4 nacked"])
        #expect(settled { tracker.answered(1, multiple: false, nack: false, into: &$0) } == ["1 confirmed"])
        #expect(tracker.count == 2 && tracker.unconfirmedBytes == 10 && tracker.nextTag == 5)
        #expect(settled { tracker.answered(3, multiple: true, nack: false, into: &$0) } == ["3 confirmed"])
        #expect(settled { tracker.answered(3, multiple: true, nack: false, into: &$0) } == [])
        #expect(tracker.unconfirmedBytes == 0)
    }

    @Test func `multiple settles all up to its tag and no more`() {
        var tracker = tracker(5)
        _ = settled { tracker.answered(2, multiple: false, nack: false, into: &$0) }
        #expect(
            settled { tracker.answered(4, multiple: true, nack: false, into: &$0) }
                == ["1 confirmed", "3 confirmed", "4 confirmed"])
        #expect(settled { tracker.answered(9, multiple: false, nack: false, into: &$0) } == [])
        #expect(tracker.count == 1)
    }

    @Test func `a return is the outcome when its confirm comes`() {
        var tracker = tracker(3)
        tracker.returned(2, code: 312, text: "NO_ROUTE")
        tracker.returned(17, code: 312, text: "NO_ROUTE")
        #expect(
            settled { tracker.answered(3, multiple: true, nack: false, into: &$0) }
                == ["1 confirmed", "2 returned(code: 312, text: \"NO_ROUTE\")", "3 confirmed"])
    }

    @Test func `a channel that goes leaves what was written unknown and the rest not sent`() {
        var tracker = tracker(3)
        _ = settled { tracker.answered(1, multiple: false, nack: false, into: &$0) }
        #expect(
            settled { tracker.drop(written: 200, reason: .disconnected, into: &$0) }
                == ["2 lost", "3 notSent(Messaging.NotSentReason.disconnected)"])
        #expect(tracker.nextTag == 1 && tracker.count == 0 && tracker.unconfirmedBytes == 0)
    }

    @Test func `time runs out for the caller, the place is kept for the broker's answer`() {
        var tracker = tracker(3)
        #expect(tracker.nextDeadline(after: 0) == 1)
        #expect(settled { tracker.expire(now: 2, into: &$0) } == ["1 lost", "2 lost"])
        #expect(tracker.nextDeadline(after: 2) == 3)
        #expect(tracker.unconfirmedBytes == 30)
        #expect(settled { tracker.answered(3, multiple: true, nack: false, into: &$0) } == ["3 confirmed"])
        #expect(tracker.unconfirmedBytes == 0)
    }
}
