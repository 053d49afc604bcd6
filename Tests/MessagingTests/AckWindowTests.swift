import TestSupport
import Testing

@testable import Messaging

/// A window by reference: an expectation cannot call what mutates.
private final class Window {
    private var window = AckWindow()

    init(deliveries: UInt64 = 0) {
        for tag in 0..<deliveries { #expect(delivered(tag + 1)) }
    }

    var openCount: Int { window.openCount }
    func isOpen(_ tag: UInt64) -> Bool { window.isOpen(tag) }
    func delivered(_ tag: UInt64) -> Bool { window.delivered(tag) }
    func ack(_ tag: UInt64) -> Bool { window.ack(tag) }

    func flush() -> [AckWindow.Ack] {
        var acks: [AckWindow.Ack] = []
        window.flush { acks.append($0) }
        return acks
    }
}

struct AckWindowTests {

    @Test func `a finished prefix is one ack, the rest are single`() {
        let window = Window(deliveries: 6)
        for tag in [2, 1, 3, 5] as [UInt64] { #expect(window.ack(tag)) }
        #expect(window.flush() == [.init(tag: 3, multiple: true), .init(tag: 5, multiple: false)])
        #expect(window.flush() == [])
        #expect(window.openCount == 2)
    }

    @Test func `multiple never names a tag that was acked before`() {
        let window = Window(deliveries: 4)
        #expect(window.ack(3))
        #expect(window.flush() == [.init(tag: 3, multiple: false)])
        #expect(window.ack(1))
        #expect(window.ack(2))
        // 3 is settled: the prefix ends at 3, but 2 is the last that is open at the broker.
        #expect(window.flush() == [.init(tag: 2, multiple: true)])
        #expect(window.ack(4))
        #expect(window.flush() == [.init(tag: 4, multiple: false)])
    }

    @Test func `an ack of a prefix of one says so without multiple`() {
        let window = Window(deliveries: 3)
        #expect(window.ack(1))
        #expect(window.flush() == [.init(tag: 1, multiple: false)])
    }

    @Test func `unknown and repeated acks are refused`() {
        let window = Window(deliveries: 2)
        #expect(!window.ack(3))
        #expect(!window.ack(0))
        #expect(window.ack(1))
        #expect(!window.ack(1))
        #expect(window.flush().count == 1)
        #expect(!window.ack(1))
        #expect(!window.isOpen(1) && window.isOpen(2))
    }

    @Test func `tags must follow each other`() {
        let window = Window()
        #expect(!window.delivered(2))
        #expect(window.delivered(1))
        #expect(!window.delivered(1))
        #expect(!window.delivered(3))
    }

    /// A model of the broker: what it would hold open, and the 406 it would answer with.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `in any order each delivery is settled once, and multiple only names open ones`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let window = Window()
        var open: Set<UInt64> = []
        var unacked: [UInt64] = []
        var next: UInt64 = 1
        for _ in 0..<400 {
            if random.next() % 3 != 0 {
                #expect(window.delivered(next))
                open.insert(next)
                unacked.append(next)
                next += 1
            } else if !unacked.isEmpty {
                let tag = unacked.remove(at: Int(random.next() % UInt64(min(unacked.count, 8))))
                #expect(window.ack(tag))
            }
            guard random.next() % 5 == 0 else { continue }
            for ack in window.flush() {
                #expect(open.contains(ack.tag), "406 unknown delivery tag")
                open = ack.multiple ? open.filter { $0 > ack.tag } : open.subtracting([ack.tag])
            }
            #expect(open == Set(unacked))
        }
    }
}
