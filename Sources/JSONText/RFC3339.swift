/// Instants as text, `2026-01-02T03:04:05.678Z`, by integer arithmetic alone.
public enum RFC3339 {
    /// Milliseconds since 1970 of 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: what four digits can say.
    static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// How long the text of an instant is.
    static let length = 24

    /// The instant in UTC with milliseconds. What lies outside the years 0000 to 9999 is brought to the nearest end.
    public static func text(milliseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: length) { room in
            guard let start = room.baseAddress else { return 0 }
            return put(milliseconds: milliseconds, at: start) - start
        }
    }

    /// Puts the same text as `text(milliseconds:)` at `start`, always 24 bytes; returns its end.
    static func put(milliseconds: Int64, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let instant = min(max(milliseconds, range.lowerBound), range.upperBound)
        let (day, within) = floorDivide(instant, by: 86_400_000)
        let date = CivilDate(day: day)
        var at = DecimalText.putTwo(date.year / 100, at: start)
        at = DecimalText.putTwo(date.year % 100, at: at).put(UInt8(ascii: "-"))
        at = DecimalText.putTwo(date.month, at: at).put(UInt8(ascii: "-"))
        at = DecimalText.putTwo(date.day, at: at).put(UInt8(ascii: "T"))
        at = DecimalText.putTwo(within / 3_600_000, at: at).put(UInt8(ascii: ":"))
        at = DecimalText.putTwo(within / 60_000 % 60, at: at).put(UInt8(ascii: ":"))
        at = DecimalText.putTwo(within / 1000 % 60, at: at).put(UInt8(ascii: "."))
        at = at.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: within % 1000 / 100))
        return DecimalText.putTwo(within % 100, at: at).put(UInt8(ascii: "Z"))
    }

    /// Milliseconds since 1970, or nil for what is no instant: no zone, a day that the month has not, a leap second.
    ///
    /// Takes any offset from UTC and up to nine digits of a second; those behind the third are dropped.
    public static func parse(_ text: String) -> Int64? {
        var scan = Scan(bytes: Array(text.utf8))
        guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
            let day = scan.number(2), scan.take("T") || scan.take("t"),
            let hour = scan.number(2), scan.take(":"), let minute = scan.number(2), scan.take(":"),
            let second = scan.number(2), hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: year, month: month, day: day),
            let fraction = scan.fraction(), let offset = scan.offsetMinutes(), scan.isAtEnd
        else { return nil }
        let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    /// Quotient and remainder, the remainder never below zero.
    static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private struct Scan {
        let bytes: [UInt8]
        var at = 0

        var isAtEnd: Bool { at == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
            at += 1
            return true
        }

        mutating func number(_ width: Int) -> Int64? {
            guard at + width <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[at..<at + width] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            at += width
            return value
        }

        /// Milliseconds of `.678`; 0 when there is none; nil for a point without digits or with more than nine.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            var value: Int64 = 0
            var digits = 0
            while digits < 10, let digit = number(1) {
                if digits < 3 { value = value * 10 + digit }
                digits += 1
            }
            guard (1...9).contains(digits) else { return nil }
            for _ in 0..<max(0, 3 - digits) { value *= 10 }
            return value
        }

        /// Minutes east of UTC of `Z` or `+02:00`.
        mutating func offsetMinutes() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isWest = take("-")
            guard isWest || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            return (hours * 60 + minutes) * (isWest ? -1 : 1)
        }
    }
}
