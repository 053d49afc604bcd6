/// The answer headers a caller wants; all others are passed over without a copy.
public final class HeaderNames: Sendable {
    private let names: [StaticString]
    /// Bit n: some name is n bytes long. Most headers are dismissed by this alone.
    private let lengths: UInt64

    /// Makes the set of at most 255 names, in lower case, each under 64 bytes.
    public init(_ names: [StaticString]) {
        self.names = Array(names.prefix(255))
        lengths = self.names.reduce(0) { $0 | (1 << UInt64(min(63, $1.utf8CodeUnitCount))) }
    }

    /// The place of a name among those wanted, by ASCII letters without case; nil for others.
    func index(of name: UnsafePointer<UInt8>, count: Int) -> Int? {
        guard count < 64, lengths & (1 << UInt64(count)) != 0 else { return nil }
        for (index, wanted) in names.enumerated() where wanted.utf8CodeUnitCount == count {
            if matches(name, wanted.utf8Start, count) { return index }
        }
        return nil
    }

    func index(of name: StaticString) -> Int? {
        index(of: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    private func matches(_ name: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for index in 0..<count {
            let byte = name[index]
            let folded = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            guard folded == lower[index] else { return false }
        }
        return true
    }
}

/// The wanted headers of one answer.
public struct ReplyHeaders: Sendable {
    private let names: HeaderNames
    /// For each header: its index, the length of its value (two bytes, high first), the value.
    private let records: [UInt8]

    init(names: HeaderNames, records: [UInt8]) {
        self.names = names
        self.records = records
    }

    /// The value of a header that was asked for, the last if there are several; nil if it is not there.
    public func value(_ name: StaticString) -> String? {
        guard let wanted = names.index(of: name) else { return nil }
        var found: String?
        var at = 0
        while at + 3 <= records.count {
            let start = at + 3
            let end = min(records.count, start + Int(records[at + 1]) << 8 + Int(records[at + 2]))
            if Int(records[at]) == wanted { found = String(decoding: records[start..<end], as: UTF8.self) }
            at = end
        }
        return found
    }
}
