/// A value in memory once, shared: the store, a saved answer and a reply in the making point at the same one. A
/// change makes a new one, so an answer saved under an idempotency key never changes.
final class Kept<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
