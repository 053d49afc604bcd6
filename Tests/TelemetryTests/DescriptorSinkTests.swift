import Glibc
import Telemetry
import Testing

@Suite struct `Descriptor sink` {
    /// A pipe of 4096 bytes; what is written is read when the test wants it.
    private final class Pipe {
        let reader: Int32
        let writer: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reader, writer) = (ends[0], ends[1])
            _ = fcntl(reader, F_SETFL, O_NONBLOCK)
            _ = fcntl(writer, 1031 /* F_SETPIPE_SZ */, 4096)
        }

        func readAll() -> String {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(reader, &piece, piece.count)
                if count <= 0 { break }
                bytes += piece[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        deinit {
            close(reader)
            close(writer)
        }
    }

    private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `gathers until it is flushed`() throws {
        let pipe = try Pipe()
        let sink = DescriptorSink(descriptor: pipe.writer, gathers: true)
        sink.take(line("one"), level: .info)
        sink.take(line("two"), level: .warning)
        #expect(pipe.readAll().isEmpty)
        sink.flush()
        #expect(pipe.readAll() == "one\ntwo\n")
        sink.take(line("three"), level: .info)
        sink.take(line("bad"), level: .error)
        #expect(pipe.readAll() == "three\nbad\n", "an error does not wait")
    }

    @Test func `writes each line at once when it does not gather`() throws {
        let pipe = try Pipe()
        let sink = DescriptorSink(descriptor: pipe.writer, gathers: false)
        sink.take(line("one"), level: .debug)
        #expect(pipe.readAll() == "one\n")
    }

    /// A reader that stops must not stop the writer: if it did, this test would hang.
    @Test func `never waits for a reader that has stopped`() throws {
        let pipe = try Pipe()
        let sink = DescriptorSink(descriptor: pipe.writer, gathers: true)
        let log = Log(level: .info, format: .json, sink: sink) { 0 }
        for number in 0..<20_000 { log.info("charge", .int("number", number), .text("filler", "0123456789")) }
        log.flush()
        var text = ""
        while true {
            let piece = pipe.readAll()
            if piece.isEmpty { break }
            text += piece
            log.flush()
        }
        log.info("again")
        log.flush()
        let lines = text.split(separator: "\n")
        #expect(lines.count > 9000 && lines.count < 20_000)
        for (number, line) in lines.enumerated() where !line.contains("\"number\":\(number),") || line.last != "}" {
            Issue.record("line \(number) is \(line)")
            break
        }
        let after = pipe.readAll()
        #expect(after.contains(#""event":"log_lines_lost","lines":\#(20_000 - lines.count)}"#), "\(after)")
        #expect(after.contains(#""event":"again""#))
    }

    @Test func `a line longer than a pipe's page arrives whole`() throws {
        let pipe = try Pipe()
        let sink = DescriptorSink(descriptor: pipe.writer, gathers: true)
        let long = String(repeating: "x", count: 10_000)
        sink.take(line("before"), level: .info)
        sink.take(line(long), level: .info)
        var text = ""
        repeat {
            sink.flush()
            text += pipe.readAll()
        } while text.utf8.count < 10_008
        #expect(text == "before\n\(long)\n")
    }

    @Test func `drain gives up on a reader that has stopped`() throws {
        let pipe = try Pipe()
        let sink = DescriptorSink(descriptor: pipe.writer, gathers: true)
        for _ in 0..<100 { sink.take(line(String(repeating: "x", count: 99)), level: .info) }
        sink.drain()
        #expect(pipe.readAll().utf8.count <= 4096)
        sink.drain()
        #expect(pipe.readAll().utf8.count > 0)
    }

    @Test func `writes to a file and to a socket`() throws {
        let path = "/tmp/chargeline-sink-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = open(path, O_CREAT | O_RDWR | O_EXCL, 0o600)
        try #require(file >= 0)
        unlink(path)
        let toFile = DescriptorSink(descriptor: file, gathers: true)
        for number in 0..<5000 { toFile.take(line("line \(number)"), level: .info) }
        toFile.flush()
        #expect(lseek(file, 0, SEEK_END) == 48_890)
        close(file)

        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let toSocket = DescriptorSink(descriptor: ends[0], gathers: true)
        toSocket.take(line("hello"), level: .info)
        toSocket.flush()
        var bytes = [UInt8](repeating: 0, count: 100)
        #expect(read(ends[1], &bytes, 100) == 6)
        for _ in 0..<20_000 { toSocket.take(line(String(repeating: "x", count: 99)), level: .info) }
        #expect(toSocket.takeLost() == 0, "a full socket neither waits nor fails, and this can not yet be said")
        close(ends[1])
        toSocket.flush()
        toSocket.take(line("nobody reads"), level: .error)
        close(ends[0])
    }
}
