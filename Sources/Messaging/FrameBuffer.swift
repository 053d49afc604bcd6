internal import CLinux

/// Frames that wait to be written to the broker: one growing piece of memory, filled behind and emptied in front.
///
/// We write frames ourselves because the library's own sends wait without a limit for a broker that does not read.
final class FrameBuffer {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var head = 0
    private var tail = 0
    /// Set by a text over 255 bytes; the frame is then taken back.
    private(set) var hasFault = false
    /// Bytes that left for the kernel since the connection began.
    private(set) var written: UInt64 = 0

    private static let initialCapacity = 64 * 1024
    /// Memory that a burst took is given back above this.
    private static let keptCapacity = 1024 * 1024

    init() {
        capacity = Self.initialCapacity
        memory = .allocate(capacity: capacity)
    }

    deinit {
        memory.deallocate()
    }

    var isEmpty: Bool { head == tail }
    var count: Int { tail - head }
    /// Where the next byte will lie in the stream; comparable with `written`.
    var end: UInt64 { written + UInt64(count) }

    // MARK: Writing out

    /// Takes off what `write` accepts; false where it says, with a negative number, that the connection is broken.
    func drain(_ write: (UnsafePointer<UInt8>, Int) -> Int) -> Bool {
        while head < tail {
            let taken = write(memory + head, tail - head)
            guard taken >= 0 else { return false }
            guard taken > 0 else { break }
            head += taken
            written += UInt64(taken)
        }
        if head == tail {
            head = 0
            tail = 0
            if capacity > Self.keptCapacity { resize(Self.initialCapacity) }
        }
        return true
    }

    // MARK: Taking back

    /// The place to go back to with `takeBack`.
    var mark: Int { tail - head }

    func takeBack(to mark: Int) {
        tail = head + mark
        hasFault = false
    }

    // MARK: AMQP's types

    func byte(_ value: UInt8) {
        reserve(1)
        memory[tail] = value
        tail += 1
    }

    func short(_ value: UInt16) { integer(value.bigEndian, 2) }
    func long(_ value: UInt32) { integer(value.bigEndian, 4) }
    func longLong(_ value: UInt64) { integer(value.bigEndian, 8) }

    func bytes(_ bytes: UnsafeRawPointer, _ count: Int) {
        reserve(count)
        memcpy(memory + tail, bytes, count)
        tail += count
    }

    /// A text of up to 255 bytes behind its length.
    func shortText(_ text: String) {
        let count = text.utf8.count
        guard count <= 255 else {
            hasFault = true
            return
        }
        byte(UInt8(count))
        utf8(text, count)
    }

    /// A text behind its length in four bytes.
    func longText(_ text: String) {
        let count = text.utf8.count
        long(UInt32(truncatingIfNeeded: count))
        utf8(text, count)
    }

    /// A table; returns its size.
    @discardableResult
    func table(_ headers: [MessageHeader], and extra: (name: String, value: Int64)? = nil) -> Int {
        let start = tail - head
        long(0)
        for header in headers { field(header.name, header.value) }
        if let extra { field(extra.name, .int(extra.value)) }
        let size = tail - head - start - 4
        patchLong(at: start, UInt32(truncatingIfNeeded: size))
        return size
    }

    /// Overwrites four bytes at a mark, for lengths that are known afterwards.
    func patchLong(at mark: Int, _ value: UInt32) {
        var bigEndian = value.bigEndian
        memcpy(memory + head + mark, &bigEndian, 4)
    }

    private func field(_ name: String, _ value: HeaderValue) {
        shortText(name)
        switch value {
        case .int(let number):
            byte(UInt8(ascii: "l"))
            longLong(UInt64(bitPattern: number))
        case .text(let text):
            byte(UInt8(ascii: "S"))
            longText(text)
        case .bool(let flag):
            byte(UInt8(ascii: "t"))
            byte(flag ? 1 : 0)
        case .other:
            byte(UInt8(ascii: "V"))
        }
    }

    private func utf8(_ text: String, _ count: Int) {
        let copied: Void? = text.utf8.withContiguousStorageIfAvailable { storage in
            if let base = storage.baseAddress { bytes(base, storage.count) }
        }
        if copied == nil { for unit in text.utf8 { byte(unit) } }
    }

    private func integer<Value: FixedWidthInteger>(_ bigEndian: Value, _ size: Int) {
        reserve(size)
        var value = bigEndian
        memcpy(memory + tail, &value, size)
        tail += size
    }

    private func reserve(_ more: Int) {
        guard tail + more > capacity else { return }
        let used = tail - head
        // Moved to the front where that alone makes room for long enough.
        if head > 0, used + more <= capacity / 2 {
            memmove(memory, memory + head, used)
            (head, tail) = (0, used)
        } else {
            resize(max(capacity * 2, used + more))
        }
    }

    private func resize(_ size: Int) {
        let used = tail - head
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        memcpy(moved, memory + head, used)
        memory.deallocate()
        (memory, capacity, head, tail) = (moved, size, 0, used)
    }
}
