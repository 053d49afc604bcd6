/// A number that only grows.
public final class Counter {
    /// The number now.
    public private(set) var value: Double = 0

    init() {}

    /// Adds one.
    public func increment() { value += 1 }

    /// Adds an amount; one below zero is not added.
    public func increment(by amount: Double) {
        if amount > 0 { value += amount }
    }
}
