/// Cuts bytes that come in pieces into lines; a byte order mark before the first is dropped, empty lines are counted
/// but not handed out.
struct LineReader: Sendable {
    /// The longest line, in bytes.
    static let limit = 256 * 1024

    /// A line, or what stands in its place when it is too long.
    struct Line: Sendable, Equatable {
        /// From 1.
        let number: Int
        /// Without its end; nil when it is longer than the limit.
        let bytes: [UInt8]?
    }

    private var line = 1
    private var bytes: [UInt8] = []
    private var isTooLong = false
    private var ready: [Line] = []
    private var taken = 0

    /// Takes the next piece.
    mutating func feed(_ piece: some Sequence<UInt8>) {
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                end()
            } else if bytes.count < Self.limit {
                bytes.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    /// Says that nothing more comes.
    mutating func finish() {
        end()
    }

    /// The next line.
    mutating func next() -> Line? {
        guard taken < ready.count else {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return ready[taken - 1]
    }

    private mutating func end() {
        if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if isTooLong {
            ready.append(Line(number: line, bytes: nil))
        } else if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
            ready.append(Line(number: line, bytes: bytes))
        }
        line += 1
        bytes.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
