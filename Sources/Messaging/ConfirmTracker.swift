/// The publishes of one channel that the broker has not answered yet.
///
/// Confirms come out of order and several at once (`multiple`), and a return comes before the confirm of the same
/// publish, with others between them; so each publish keeps its own place until it is answered.
struct ConfirmTracker<Waiter> {
    /// A publish that has its outcome.
    struct Settled {
        let waiter: Waiter
        let outcome: PublishOutcome
        let bytes: Int
    }

    private struct Slot {
        let waiter: Waiter
        let bytes: Int
        /// Where its last byte lies in what the link has written: a publish whose end never reached the kernel was
        /// never sent.
        let end: UInt64
        let deadline: Int64
        var returned: PublishOutcome?
        var state: State = .waiting

        enum State {
            case waiting
            /// Answered to the caller as unknown; the broker's answer is still to come.
            case expired
            case settled
        }
    }

    /// The broker's tag of the first in `slots`; it numbers publishes of a channel from 1.
    private var base: UInt64 = 1
    private var slots = RingBuffer<Slot>()
    private(set) var unconfirmedBytes = 0

    /// Publishes without an answer.
    var count: Int { slots.count }
    /// The tag the next publish gets.
    var nextTag: UInt64 { base + UInt64(slots.count) }
    /// When the next publish without an outcome runs out of time.
    func nextDeadline(after now: Int64) -> Int64? {
        var offset = 0
        while let slot = slots[offset] {
            if slot.state == .waiting, slot.deadline > now { return slot.deadline }
            offset += 1
        }
        return nil
    }

    /// Notes a publish of `bytes` that ends at `end` in the written stream.
    mutating func published(_ waiter: Waiter, bytes: Int, end: UInt64, deadline: Int64) {
        slots.append(Slot(waiter: waiter, bytes: bytes, end: end, deadline: deadline))
        unconfirmedBytes += bytes
    }

    /// Notes a return; its confirm follows.
    mutating func returned(_ tag: UInt64, code: Int, text: String) {
        guard let offset = offset(of: tag) else { return }
        slots[offset]?.returned = .returned(code: code, text: text)
    }

    /// Notes a confirm (or a nack) of one publish or of all up to it; what it settles is appended to `settled`.
    mutating func answered(_ tag: UInt64, multiple: Bool, nack: Bool, into settled: inout [Settled]) {
        let answer: PublishOutcome = nack ? .nacked : .confirmed
        if multiple {
            // 0 means all so far.
            let last = tag == 0 ? nextTag : tag
            while base <= last, !slots.isEmpty { popFirst(answer, into: &settled) }
            return
        }
        guard let offset = offset(of: tag) else { return }
        settle(offset, answer, into: &settled)
        while let first = slots.first, first.state == .settled { popFirst(answer, into: &settled) }
    }

    /// Gives up waiting for those whose deadline has passed: unknown to the caller, though the broker may still
    /// answer.
    mutating func expire(now: Int64, into settled: inout [Settled]) {
        var offset = 0
        while let slot = slots[offset], slot.deadline <= now {
            if slot.state == .waiting {
                slots[offset]?.state = .expired
                settled.append(Settled(waiter: slot.waiter, outcome: .lost, bytes: 0))
            }
            offset += 1
        }
    }

    /// The channel is gone: those whose end had been written are unknown, the others were never sent.
    mutating func drop(written: UInt64, reason: NotSentReason, into settled: inout [Settled]) {
        while let slot = slots.popFirst() {
            guard slot.state == .waiting else { continue }
            let outcome: PublishOutcome = slot.end <= written ? .lost : .notSent(reason)
            settled.append(Settled(waiter: slot.waiter, outcome: outcome, bytes: slot.bytes))
        }
        self = ConfirmTracker()
    }

    private func offset(of tag: UInt64) -> Int? {
        guard tag >= base, tag < nextTag else { return nil }
        return Int(tag - base)
    }

    private mutating func settle(_ offset: Int, _ answer: PublishOutcome, into settled: inout [Settled]) {
        guard let slot = slots[offset], slot.state != .settled else { return }
        slots[offset]?.state = .settled
        unconfirmedBytes -= slot.bytes
        if slot.state == .waiting {
            settled.append(Settled(waiter: slot.waiter, outcome: slot.returned ?? answer, bytes: slot.bytes))
        }
    }

    private mutating func popFirst(_ answer: PublishOutcome, into settled: inout [Settled]) {
        settle(0, answer, into: &settled)
        _ = slots.popFirst()
        base += 1
    }
}
