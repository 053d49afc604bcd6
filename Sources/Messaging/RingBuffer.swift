/// A queue in one allocation: adding at the end and taking from the front move nothing else.
struct RingBuffer<Element> {
    private var storage: [Element?] = Array(repeating: nil, count: 16)
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Element? { count == 0 ? nil : storage[head] }

    /// The element this far from the front.
    subscript(offset: Int) -> Element? {
        get {
            guard offset >= 0, offset < count else { return nil }
            return storage[(head + offset) & (storage.count - 1)]
        }
        set {
            guard offset >= 0, offset < count, newValue != nil else { return }
            storage[(head + offset) & (storage.count - 1)] = newValue
        }
    }

    mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[(head + count) & (storage.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = storage[head]
        storage[head] = nil
        head = (head + 1) & (storage.count - 1)
        count -= 1
        return element
    }

    mutating func removeAll() {
        self = RingBuffer()
    }

    private mutating func grow() {
        var larger: [Element?] = Array(repeating: nil, count: storage.count * 2)
        for offset in 0..<count { larger[offset] = storage[(head + offset) & (storage.count - 1)] }
        storage = larger
        head = 0
    }
}
