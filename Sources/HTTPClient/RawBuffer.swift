/// Bytes at an address that stays put while libcurl holds it, reused from transfer to transfer.
struct RawBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    func free() {
        start.deallocate()
    }

    mutating func clear() {
        count = 0
    }

    /// Makes room for `bytes` more; the address may change.
    mutating func reserve(_ bytes: Int) {
        guard count + bytes > capacity else { return }
        let larger = max(capacity * 2, count + bytes)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: start, count: count)
        start.deallocate()
        start = moved
        capacity = larger
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafePointer<UInt8>, count added: Int) {
        reserve(added)
        (start + count).update(from: bytes, count: added)
        count += added
    }

    /// A copy; empty costs nothing.
    func bytes() -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { into, initialized in
            into.baseAddress?.initialize(from: start, count: count)
            initialized = count
        }
    }

    /// Empties it, and gives back what one large answer took: memory stays flat.
    mutating func recycle(keeping most: Int) {
        count = 0
        guard capacity > most else { return }
        start.deallocate()
        capacity = most
        start = .allocate(capacity: most)
    }
}
