/// A number that goes up and down.
public final class Gauge {
    /// The number now.
    public private(set) var value: Double = 0

    init() {}

    /// Sets the number.
    public func set(_ value: Double) { self.value = value }

    /// Adds an amount, which may be below zero.
    public func add(_ amount: Double) { value += amount }
}
