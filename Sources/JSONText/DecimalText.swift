/// Integers as decimal digits, written without making a String.
enum DecimalText {
    /// The longest: -9223372036854775808.
    static let longest = 20

    /// Puts the number at `start`, with a minus sign if it is below zero; returns its end.
    static func put(_ number: Int64, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let first = number < 0 ? start.put(UInt8(ascii: "-")) : start
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20, number.magnitude >= bound {
            digits += 1
            bound = digits < 20 ? bound &* 10 : .max
        }
        var rest = number.magnitude
        for place in (0..<digits).reversed() {
            first[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return first + digits
    }

    /// Puts two digits; the number is from 0 to 99.
    static func putTwo(_ number: Int64, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let digits = UInt8(truncatingIfNeeded: number)
        return start.put(UInt8(ascii: "0") &+ digits / 10).put(UInt8(ascii: "0") &+ digits % 10)
    }
}
