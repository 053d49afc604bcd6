import Charging
import Testing

@testable import Operator

@Suite struct SendPartsTests {
    @Test func `the rate follows the last seconds and tells the time left`() {
        var meter = ProgressMeter(total: 10_000, now: 0)
        for step in 1...40 { meter.note(done: step * 25, now: Int64(step) * 250_000_000) }
        #expect(meter.done == 1000 && meter.rate(now: 10_000_000_000) == 100)
        #expect(meter.secondsLeft(now: 10_000_000_000) == 90)
        // Twice as fast from here on: within the window the rate has followed.
        for step in 1...24 { meter.note(done: 1000 + step * 50, now: 10_000_000_000 + Int64(step) * 250_000_000) }
        #expect(abs(meter.rate(now: 16_000_000_000) - 200) < 15)
        #expect(meter.averageRate(now: 16_000_000_000) == 137.5)
    }

    @Test func `a standstill has no time left, and the end has none to wait`() {
        var meter = ProgressMeter(total: 10, now: 0)
        #expect(meter.secondsLeft(now: 0) == nil && meter.secondsLeft(now: 9) == nil)
        meter.note(done: 10, now: 1_000_000_000)
        #expect(meter.secondsLeft(now: 1_000_000_000) == 0 && meter.fraction == 1)
        #expect(ProgressMeter(total: nil, now: 0).secondsLeft(now: 5) == nil)
    }

    @Test func `progress in words`() {
        var meter = ProgressMeter(total: 10_000, now: 0)
        meter.note(done: 5_231, now: 2_000_000_000)
        let bar = ProgressText.bar("sent", meter, now: 2_000_000_000, width: 100)
        #expect(bar.hasPrefix("sent  [###") && bar.contains("5,231 of 10,000  52 %") && bar.contains("2,616/s"))
        #expect(bar.hasSuffix("2 s left") && bar.count < 100)
        for width in [0, 10, 40, 79] {
            #expect(ProgressText.bar("sent", meter, now: 2_000_000_000, width: width).count <= max(20, width - 1))
        }
        #expect(ProgressText.line("taken", ProgressMeter(total: nil, now: 0), now: 0) == "taken 0  0/s")
        #expect(
            [0, 59, 60, 200, 3600, 7500].map { ProgressText.duration(seconds: $0) } == [
                "0 s", "59 s", "1 min", "3 min 20 s", "1 h", "2 h 5 min",
            ])
        #expect([0.04, 0.44, 9.99, 10, 2310.4].map { ProgressText.rate($0) } == ["0.0", "0.4", "10.0", "10", "2,310"])
    }

    @Test func `amounts are shown with their currency's decimals`() throws {
        let cases: [(Int64, String, String)] = [
            (1999, "usd", "19.99 usd"), (5, "usd", "0.05 usd"), (123_456_789, "usd", "1,234,567.89 usd"),
            (500, "jpy", "500 jpy"), (1500, "kwd", "1.500 kwd"), (0, "usd", "0.00 usd"),
        ]
        for (amount, code, text) in cases {
            #expect(AmountText.text(amount, try #require(Currency(code))) == text)
        }
        #expect(
            [0, 12, 123, 1234, 123_456, 1_234_567].map { AmountText.grouped($0) } == [
                "0", "12", "123", "1,234", "123,456", "1,234,567",
            ])
    }

    @Test func `an id is found again by its hash, and a doubled one names the first line`() {
        var table = IDTable()
        for number in 0..<5000 { #expect(table.add("order-\(number)", line: number + 2) == nil) }
        #expect(table.add("order-77", line: 9000) == 79 && table.count == 5000)
        #expect(table.ordinal(of: "order-4999") == 4999 && table.ordinal(of: "order-5000") == nil)
        #expect(table.line(ofOrdinal: 10) == 12)
    }

    @Test func `of several results the highest counts, and only unknown keeps a charge open`() {
        var tally = ResultTally(count: 4)
        tally.take(.unknown, ordinal: 0)
        #expect(tally.open == 4 && tally.counts[.unknown] == 1)
        tally.take(.succeeded, ordinal: 0)
        tally.take(.succeeded, ordinal: 0)
        tally.take(.unknown, ordinal: 0)
        #expect(tally.open == 3 && tally.counts[.unknown] == 0 && tally.counts[.succeeded] == 1)
        tally.take(.parked, ordinal: 1)
        tally.take(.refused, ordinal: 2)
        #expect(tally.open == 1 && tally.needsAPerson)
        // A charge that was settled may be in doubt again, and end.
        tally.take(.unknown, ordinal: 2)
        #expect(tally.open == 2)
        tally.take(.declined, ordinal: 1)
        tally.take(.declined, ordinal: 2)
        tally.take(.declined, ordinal: 3)
        #expect(tally.open == 0 && !tally.needsAPerson && tally.conflicts == 0)
        #expect(tally.sorted.map { $0.status } == [.succeeded, .declined])
        tally.take(.succeeded, ordinal: 3)
        #expect(tally.conflicts == 1 && tally.needsAPerson && tally.counts[.declined] == 3)
    }

    @Test func `after a refusal sending rests, longer each time, until a publish is taken`() {
        var pause = SendPause()
        let second: Int64 = 1_000_000_000
        var rests: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<7 {
            pause.refused("a queue is full", now: now)
            // The rest of a window is refused too, and counts once.
            for _ in 0..<255 { pause.refused("a queue is full", now: now + 1) }
            rests.append((pause.until ?? 0) - now)
            now = (pause.until ?? 0) + 1
        }
        #expect(rests == [second / 4, second / 2, second, 2 * second, 4 * second, 5 * second, 5 * second])
        #expect(pause.reason == "a queue is full")
        pause.worked()
        #expect(pause == SendPause())
    }

    @Test func `text from outside cannot move the cursor, nor show a secret`() {
        let token = "tok_1" + String(repeating: "a", count: 24)
        #expect(Shown.line("a\u{1B}[2J\nb\u{202E}c") == "a\\u{1B}[2J\\nb\\u{202E}c")
        #expect(!Shown.line("paid by \(token)").contains(token))
        #expect(!Shown.body(Array("{\"number\": \"4242424242424242\", \"token\": \"\(token)\"}".utf8)).contains("4242"))
        #expect(Shown.body(Array("a\n\tb\r".utf8)) == "a\n\tb\\r")
        #expect(Shown.word("batch") == "batch" && Shown.word("x\u{7}") == "(a name that is not shown)")
        #expect(Shown.word("4242 4242 4242 4242") == "(a name that is not shown)" && Shown.word("") == "(empty)")
    }
}
