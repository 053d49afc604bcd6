import JSONText
import Testing

@Suite struct `RFC 3339` {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func `writes and reads`(milliseconds: Int64, text: String) {
        #expect(RFC3339.text(milliseconds: milliseconds) == text)
        #expect(RFC3339.parse(text) == milliseconds)
    }

    @Test(
        arguments: [
            ("2026-01-02T03:04:05Z", 1_767_323_045_000), ("2026-01-02t03:04:05z", 1_767_323_045_000),
            ("2026-01-02T05:04:05+02:00", 1_767_323_045_000), ("2026-01-01T21:34:05-05:30", 1_767_323_045_000),
            ("2026-01-02T03:04:05-00:00", 1_767_323_045_000), ("2026-01-02T03:04:05.6Z", 1_767_323_045_600),
            ("2026-01-02T03:04:05.067Z", 1_767_323_045_067), ("2026-01-02T03:04:05.678999999Z", 1_767_323_045_678),
        ] as [(String, Int64)])
    func `takes every form`(text: String, milliseconds: Int64) {
        #expect(RFC3339.parse(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z", "2026-01-02T03:04:60Z",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+02:60", "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05ZZ", " 2026-01-02T03:04:05Z",
        "2026-01-02 03:04:05Z", "2026-1-2T03:04:05Z", "+026-01-02T03:04:05Z", "２026-01-02T03:04:05Z",
        "20260102T030405Z", "2026-01-02T03:04:05.678", "1767323045",
    ])
    func `refuses`(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test func `what four digits cannot say is brought to the end`() {
        #expect(RFC3339.text(milliseconds: .max) == "9999-12-31T23:59:59.999Z")
        #expect(RFC3339.text(milliseconds: .min) == "0000-01-01T00:00:00.000Z")
    }

    /// Every day of 800 years follows the one before, and comes back as it was written.
    @Test func `days round trip`() {
        var previous = ""
        for day in Int64(-200_000)...92_000 {
            let milliseconds = day * 86_400_000 + (day &* 7_919) % 43_200_000 + 43_200_000
            let text = RFC3339.text(milliseconds: milliseconds)
            if RFC3339.parse(text) != milliseconds || text <= previous {
                Issue.record("day \(day): \(text) after \(previous)")
                return
            }
            previous = text
        }
    }
}
