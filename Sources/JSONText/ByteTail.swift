/// Bytes that grow at their end, a whole piece at a time: an array asks at every byte whether there is room and whether
/// it is shared, which is half of the cost of a small document.
struct ByteTail: Sendable {
    /// Longer than what is written: the rest is room.
    private var storage: [UInt8]
    private(set) var count = 0

    init(reserving capacity: Int) {
        storage = [UInt8](repeating: 0, count: max(64, capacity))
    }

    /// What is written.
    var bytes: [UInt8] { Array(storage[..<count]) }

    /// What is written, without a copy.
    consuming func finish() -> [UInt8] {
        storage.removeLast(storage.count - count)
        return storage
    }

    mutating func removeAll() { count = 0 }

    /// Appends what `write` puts where it is told, `most` bytes at most, and returns the end of.
    @inline(__always)
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
        if storage.count - count < most { grow(most) }
        let at = count
        count = storage.withUnsafeMutableBufferPointer { room in
            guard let start = room.baseAddress else { return at }
            return write(start + at) - start
        }
    }

    /// Appends bytes as they are.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        append(most: piece.count) { $0.put(piece) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(more, storage.count)))
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Puts a byte here; returns where the next one goes.
    @inline(__always)
    func put(_ byte: UInt8) -> Self {
        pointee = byte
        return self + 1
    }

    /// Puts bytes here; returns where the next one goes.
    @inline(__always)
    func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
        guard let start = bytes.baseAddress else { return self }
        update(from: start, count: bytes.count)
        return self + bytes.count
    }

    /// Puts ASCII text here; returns where the next byte goes.
    @inline(__always)
    func put(_ text: StaticString) -> Self {
        update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        return self + text.utf8CodeUnitCount
    }
}
