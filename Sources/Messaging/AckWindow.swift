/// The deliveries of one channel that are not settled at the broker, and the acks that wait to be sent.
///
/// Acks are gathered: `multiple` names the end of the longest prefix of what is outstanding that is finished, the
/// rest go one by one. A tag named by `multiple` must still be open: naming one that was acked already closes the
/// channel with 406.
struct AckWindow {
    /// One `basic.ack` to send.
    struct Ack: Equatable {
        let tag: UInt64
        let multiple: Bool
    }

    private enum Mark: UInt8 {
        case open
        /// Acked by the owner, not yet sent.
        case finished
        case sent
    }

    /// The tag of the first in `marks`; the broker numbers deliveries of a channel from 1.
    private var base: UInt64 = 1
    private var marks = RingBuffer<Mark>()
    private var pending: [UInt64] = []

    /// Deliveries not acked by the owner.
    private(set) var openCount = 0

    /// Whether `flush` has something to send.
    var hasPending: Bool { !pending.isEmpty }

    /// Notes a delivery; false where its tag does not follow the last one's, which no broker does.
    mutating func delivered(_ tag: UInt64) -> Bool {
        guard tag == base + UInt64(marks.count) else { return false }
        marks.append(.open)
        openCount += 1
        return true
    }

    /// Whether the delivery waits for its ack.
    func isOpen(_ tag: UInt64) -> Bool {
        mark(of: tag) == .open
    }

    /// Queues the ack of a delivery; false where it is not open.
    mutating func ack(_ tag: UInt64) -> Bool {
        guard isOpen(tag) else { return false }
        marks[Int(tag - base)] = .finished
        openCount -= 1
        pending.append(tag)
        return true
    }

    /// The fewest acks that say what is queued; what they settle is forgotten.
    mutating func flush(_ send: (Ack) -> Void) {
        guard !pending.isEmpty else { return }
        let covered = dropFinishedPrefix()
        if covered.count > 0 { send(Ack(tag: covered.last, multiple: covered.count > 1)) }
        for tag in pending where tag >= base {
            marks[Int(tag - base)] = .sent
            send(Ack(tag: tag, multiple: false))
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Forgets everything: the channel is gone and its tags mean nothing any more.
    mutating func reset() {
        self = AckWindow()
    }

    private func mark(of tag: UInt64) -> Mark? {
        guard tag >= base, tag - base < UInt64(marks.count) else { return nil }
        return marks[Int(tag - base)]
    }

    /// Takes what is settled or finished off the front; how many of those are unsent, and the last such tag.
    private mutating func dropFinishedPrefix() -> (count: Int, last: UInt64) {
        var count = 0
        var last: UInt64 = 0
        while let mark = marks.first, mark != .open {
            if mark == .finished {
                count += 1
                last = base
            }
            _ = marks.popFirst()
            base += 1
        }
        return (count, last)
    }
}
