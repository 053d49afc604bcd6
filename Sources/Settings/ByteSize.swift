/// A number of bytes, as settings write it: `512`, `64KiB`, `1MiB`, `2GiB`.
public struct ByteSize: Sendable, Hashable, CustomStringConvertible {
    /// How many bytes.
    public let bytes: Int

    /// A number of bytes.
    public init(bytes: Int) { self.bytes = max(0, bytes) }

    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1),
    ]

    /// A whole number, alone or with `KiB`, `MiB` or `GiB`; nil for anything else.
    public init?(_ text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let unitName = String(text.dropFirst(digits.count))
        guard let unit = Self.units.first(where: { $0.name == unitName }),
            (1...15).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        guard !overflow else { return nil }
        bytes = product
    }

    /// The shortest exact text: `64KiB`.
    public var description: String {
        for unit in Self.units where bytes >= unit.bytes && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)"
    }
}
