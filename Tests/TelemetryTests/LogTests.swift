import Foundation
import Telemetry
import Testing

@Suite struct `Log lines` {
    private func lines(
        _ format: Log.Format = .json, level: LogLevel = .info, context: [LogField] = [], _ body: (Log) -> Void
    ) -> [String] {
        let capture = LogCapture()
        body(Log(level: level, format: format, sink: capture, context: context) { 1_767_323_045_678 })
        return capture.lines
    }

    private let missing: String? = nil

    @Test func `a JSON line`() {
        let found = lines(context: [.text("role", "worker")]) { log in
            log.info(
                "charge", .text("id", "order-1001"), .int("attempts", 1), .number("seconds", 0.25),
                .flag("final", true),
                .text("code", missing), .int("amount", Int64(1999)), .time("accepted", 1_767_323_045_000))
        }
        #expect(
            found == [
                #"{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"charge","role":"worker","#
                    + #""id":"order-1001","#
                    + #""attempts":1,"seconds":0.25,"final":true,"amount":1999,"accepted":"2026-01-02T03:04:05.000Z"}"#
            ])
    }

    @Test func `a line of text`() {
        let found = lines(.text, context: [.text("role", "api")]) { log in
            log.warning(
                "broker lost", .text("why", "connection reset"), .text("id", "a-1"), .text("empty", ""),
                .int("after", 3), .text("code", missing))
        }
        #expect(found == [#"03:04:05.678 warning broker lost role=api why="connection reset" id=a-1 empty="" after=3"#])
    }

    @Test func `what a stranger wrote stays one line and one value`() throws {
        let texts = [
            "two\nlines", "\u{1B}[2J", "\"quoted\"", "a=b", "\u{202E}evil", "nul\0", "\u{9B}31m", "\u{200B}",
            "\u{2028}",
        ]
        for text in texts {
            let json = try #require(lines { $0.info("charge", .text("id", text)) }.first)
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            #expect(object?["id"] as? String == text)
            let line = try #require(lines(.text) { $0.info("charge", .text("id", text)) }.first)
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
            #expect(!line.unicodeScalars.contains { "\u{202E}\u{200B}\u{2028}".unicodeScalars.contains($0) }, "\(line)")
        }
    }

    @Test func `levels`() {
        for level in LogLevel.allCases {
            let found = lines(level: level) { log in
                log.debug("a")
                log.info("b")
                log.warning("c")
                log.error("d")
                #expect(log.writes(.warning) == (level <= .warning))
            }
            let kept = LogLevel.allCases.filter { $0 >= level }
            #expect(found.count == kept.count)
            #expect(zip(found, kept).allSatisfy { $0.contains("\"level\":\"\($1.rawValue)\"") })
        }
        #expect(
            lines { log in
                log.debug("a")
                log.level = .debug
                log.debug("b")
            }.count == 1)
    }

    @Test func `every text is scrubbed`() {
        let context: [LogField] = [.text("base", "key sk_live_51abcdef")]
        for format in [Log.Format.json, .text] {
            let found = lines(format, context: context) { log in
                log.error("charge", .text("token", "tok_visa"), .text("why", "card 4242 4242 4242 4242 refused"))
            }
            let line = found.joined()
            #expect(!line.contains("51abc") && !line.contains("visa") && !line.contains("4242"))
            #expect(line.contains("sk_live_***") && line.contains("tok_***") && line.contains("card *** refused"))
        }
    }
}
