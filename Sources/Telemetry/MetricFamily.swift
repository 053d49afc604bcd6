/// The same metric once for each combination of label values. The values are declared at the start, so that nothing
/// from outside can make the set grow; any other value counts as `other`.
public final class MetricFamily<Child: AnyObject> {
    /// The value that stands for every value not declared.
    public static var other: String { "other" }

    let labels: [MetricLabel]
    private let make: () -> Child
    private var children: [Child?]

    init(_ labels: [MetricLabel], eager: Bool, make: @escaping () -> Child) {
        self.labels = labels
        self.make = make
        children = Array(repeating: nil, count: labels.reduce(1) { $0 * ($1.values.count + 1) })
        guard eager else { return }
        for index in children.indices where !position(index).contains(where: { $0.value == Self.other }) {
            children[index] = make()
        }
    }

    /// The child for these values, in the order of the labels. Hold on to it where it is used for every charge.
    public subscript(_ values: String...) -> Child {
        var index = 0
        for (place, label) in labels.enumerated() {
            let value = place < values.count ? label.positions[values[place]] ?? label.values.count : label.values.count
            index = index * (label.values.count + 1) + value
        }
        if let child = children[index] { return child }
        let child = make()
        children[index] = child
        return child
    }

    /// Every child that exists, with its labels.
    var all: [(labels: [(name: StaticString, value: String)], child: Child)] {
        children.enumerated().compactMap { index, child in child.map { (position(index), $0) } }
    }

    private func position(_ index: Int) -> [(name: StaticString, value: String)] {
        var rest = index
        var reversed: [(StaticString, String)] = []
        for label in labels.reversed() {
            let value = rest % (label.values.count + 1)
            reversed.append((label.name, value < label.values.count ? label.values[value] : Self.other))
            rest /= label.values.count + 1
        }
        return reversed.reversed()
    }
}

/// A label and every value that it may take.
public struct MetricLabel: Sendable {
    let name: StaticString
    let values: [String]
    let positions: [String: Int]

    /// A label; doubled values count once, and `other` is there anyway.
    public init(_ name: StaticString, _ values: [String]) {
        self.name = name
        var kept: [String] = []
        var positions: [String: Int] = [:]
        for value in values where value != "other" && positions[value] == nil {
            positions[value] = kept.count
            kept.append(value)
        }
        self.values = kept
        self.positions = positions
    }
}
