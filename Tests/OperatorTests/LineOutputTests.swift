import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Operator

@Suite(.takesTurns, .timeLimit(.minutes(8))) struct LineOutputTests {
    @Test func `a reader that is slow holds up the lines and not the loop, and each is told when it is written`()
        async throws
    {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 2999)
        let turns = Probe<Int>()
        let read: Int = try await onTestLoop { room in
            let output = LineOutput(loop: room.loop, descriptor: writing)
            var written = 0
            for _ in 0..<100 { output.write(line) { written += 1 } }
            // A pipe takes 64 KiB; the loop goes on with the rest in hand.
            let before = written
            #expect(before > 0 && before < 100 && !output.isEmpty)
            await room.loop.sleep(nanoseconds: 1)
            onHelperThread {
                var buffer = [UInt8](repeating: 0, count: 65536)
                var total = 0
                while total < 300_000 {
                    let count = Glibc.read(reading, &buffer, buffer.count)
                    guard count > 0 else { break }
                    total += count
                }
                turns.send(total)
            }
            while !output.isEmpty { await room.loop.sleep(nanoseconds: 1_000_000) }
            #expect(written == 100)
            return try await turns.next()
        }
        #expect(read == 300_000)
        close(reading)
        close(writing)
    }

    @Test func `a reader that is gone is told once, and nothing is said to be written`() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let writing = ends[1]
        close(ends[0])
        try await onTestLoop { room in
            let output = LineOutput(loop: room.loop, descriptor: writing)
            var (gone, written) = (0, 0)
            output.onGone = { gone += 1 }
            for _ in 0..<3 { output.write([1, 2, 3]) { written += 1 } }
            #expect(gone == 1 && written == 0 && output.isGone)
        }
        close(writing)
    }

    @Test func `a reader that goes away between two lines is noticed without a third`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        try await onTestLoop { room in
            let output = LineOutput(loop: room.loop, descriptor: writing)
            let gone = Latch<Bool>()
            output.onGone = { gone.open(true) }
            output.write([1, 2, 3])
            close(reading)
            #expect(await gone.wait())
        }
        close(writing)
    }

    @Test func `a file takes everything at once`() async throws {
        let path = try temporaryDirectory("lines") + "/out"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try await onTestLoop { room in
            let output = LineOutput(loop: room.loop, descriptor: descriptor)
            var written = 0
            for _ in 0..<1000 { output.write(Array("line".utf8)) { written += 1 } }
            #expect(written == 1000 && output.isEmpty)
        }
        var status = stat()
        #expect(fstat(descriptor, &status) == 0 && status.st_size == 5000)
        close(descriptor)
    }
}
