import TestSupport
import Testing

@testable import Messaging

struct FrameBufferTests {
    /// Takes frames apart as a broker does: type, channel, size, payload, end.
    private func frames(_ bytes: [UInt8]) throws -> [(type: UInt8, channel: Int, payload: ArraySlice<UInt8>)] {
        var frames: [(type: UInt8, channel: Int, payload: ArraySlice<UInt8>)] = []
        var offset = 0
        while offset < bytes.count {
            try #require(offset + 8 <= bytes.count)
            let size = bytes[(offset + 3)..<(offset + 7)].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + 7 + size
            try #require(end < bytes.count && bytes[end] == 0xCE)
            let channel = Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
            frames.append((bytes[offset], channel, bytes[(offset + 7)..<end]))
            offset = end + 1
        }
        return frames
    }

    private func route(_ key: String, number: Int64? = nil) -> FrameBuffer.Route {
        .init(
            channel: 3, exchange: "e", routingKey: key, mandatory: number != nil,
            numbered: number.map { (name: "x-number", value: $0) })
    }

    @Test func `a small publish has these bytes`() throws {
        let buffer = FrameBuffer()
        let message = Message(
            body: [1, 2], contentType: "t", messageID: "m", persistent: true, headers: [MessageHeader("b", .bool(true))]
        )
        #expect(buffer.publish(message, route("k", number: 258), frameMax: 4096) == 4 + 18)
        var bytes: [UInt8] = []
        let isFine = buffer.drain { start, count in
            bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            return count
        }
        #expect(isFine && buffer.isEmpty && buffer.written == UInt64(bytes.count))
        let found = try frames(bytes)
        #expect(found.map(\.type) == [1, 2, 3] && found.allSatisfy { $0.channel == 3 })
        #expect(Array(found[0].payload) == [0, 60, 0, 40, 0, 0, 1, 0x65, 1, 0x6B, 1])
        let table: [UInt8] =
            [0, 0, 0, 22, 1, 0x62, 0x74, 1, 8] + Array("x-number".utf8) + [0x6C, 0, 0, 0, 0, 0, 0, 1, 2]
        // content-type, headers, delivery-mode, message-id
        let flags: [UInt8] = [0b1011_0000, 0b1000_0000]
        #expect(
            Array(found[1].payload) == [0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] + flags + [1, 0x74] + table + [2, 1, 0x6D])
        #expect(Array(found[2].payload) == [1, 2])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever the socket takes at a time, the stream is the same`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let buffer = FrameBuffer()
        var wanted: [[UInt8]] = []
        var bytes: [UInt8] = []
        for number in 0..<300 {
            let size = random.next() % 8 == 0 ? Int(random.next() % 300_000) : Int(random.next() % 600)
            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
            let mark = buffer.mark
            _ = buffer.publish(Message(body: body), route("key"), frameMax: 131_072)
            if random.next() % 4 == 0 {
                buffer.takeBack(to: mark)
            } else {
                wanted.append(body)
            }
            var left = Int(random.next() % 400_000)
            let isFine = buffer.drain { start, count in
                let taken = min(count, left, Int(random.next() % 70_000))
                bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: taken))
                left -= taken
                return taken
            }
            #expect(isFine && buffer.written == UInt64(bytes.count))
        }
        while !buffer.isEmpty {
            _ = buffer.drain { start, count in
                bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
                return count
            }
        }
        var bodies: [[UInt8]] = []
        for frame in try frames(bytes) {
            #expect(frame.payload.count <= 131_064)
            if frame.type == 2 { bodies.append([]) }
            if frame.type == 3 { bodies[bodies.count - 1].append(contentsOf: frame.payload) }
        }
        #expect(bodies == wanted)
    }

    @Test func `a text over 255 bytes is a fault, and gone when it is taken back`() {
        let buffer = FrameBuffer()
        let mark = buffer.mark
        _ = buffer.publish(Message(body: []), route(String(repeating: "k", count: 256)), frameMax: 4096)
        #expect(buffer.hasFault)
        buffer.takeBack(to: mark)
        #expect(!buffer.hasFault && buffer.isEmpty)
        _ = buffer.publish(Message(body: []), route(String(repeating: "k", count: 255)), frameMax: 4096)
        #expect(!buffer.hasFault)
    }

    @Test func `a broken socket is told`() {
        let buffer = FrameBuffer()
        buffer.heartbeat()
        #expect(!buffer.drain { _, _ in -1 })
        #expect(buffer.count == 8 && buffer.written == 0 && buffer.end == 8)
    }
}
