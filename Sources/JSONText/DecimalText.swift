/// Integers as decimal digits, appended without making a String.
public enum DecimalText {
    /// Appends the number, with a minus sign if it is below zero.
    public static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends two digits; the number is from 0 to 99.
    static func appendTwo(_ number: Int64, to bytes: inout [UInt8]) {
        let digits = UInt8(truncatingIfNeeded: number)
        bytes.append(UInt8(ascii: "0") &+ digits / 10)
        bytes.append(UInt8(ascii: "0") &+ digits % 10)
    }
}
